/** What is printed of jobs, failures and troubles, apart: the command starts without it. */
export { showJob } from './jobs/show-job.js';
export { showSteps } from './jobs/show-steps.js';
export { describeTroubles } from './operate/describe-troubles.js';
export { showWorkflows } from './operate/show-workflows.js';
export { showFailures } from './operate/show-failures.js';
