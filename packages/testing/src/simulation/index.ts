/** Deterministic simulation of the engine: `@duework/testing/simulation`. */
export { describeFailure, type Failure } from './describe-failure.js';
export { formatPlan } from './plan/format-plan.js';
export { MISTAKES } from './mistakes.js';
export { parsePlan } from './plan/parse-plan.js';
export { planOf, type FaultKind, type Plan } from './plan/plan.js';
export { shrinkPlan } from './plan/shrink-plan.js';
export { simulate, type Simulated, type SimulateOptions } from './simulate.js';
