/** Deterministic simulation of the engine: `@duework/testing/simulation`. */
export { describeFailure, type Failure } from './describe-failure.js';
export { formatPlan } from './format-plan.js';
export { MISTAKES } from './mistakes.js';
export { parsePlan } from './parse-plan.js';
export { planOf, type FaultKind, type Plan } from './plan.js';
export { shrinkPlan } from './shrink-plan.js';
export { simulate, type Simulated, type SimulateOptions } from './simulate.js';
