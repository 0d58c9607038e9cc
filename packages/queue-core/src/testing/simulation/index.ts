/** Deterministic simulation of the engine: `@duework/queue-core/simulation`. */
export { formatPlan } from './format-plan.js';
export { parsePlan } from './parse-plan.js';
export { planOf, type FaultKind, type Plan } from './plan.js';
export { simulate, type Simulated, type SimulateOptions } from './simulate.js';
