/** What is printed of jobs, failures and troubles, apart: the command starts without it. */
export { showJob } from './jobs/show-job.js';
export { showSteps } from './jobs/show-steps.js';
export { changeSlots } from './operate/change-slots.js';
export { checkKnown } from './operate/check-known.js';
export { describeTroubles } from './operate/describe-troubles.js';
export { showEffectCheck } from './operate/show-effect-check.js';
export { showWorkflows } from './operate/show-workflows.js';
export { showFailures } from './operate/show-failures.js';
export { showWorkers } from './operate/show-workers.js';
