export type { AnyJson, Json } from './any-json.js';
export { ContractError, type ContractErrorCode } from './contract-error.js';
export { defineCatalog, type Catalog, type ContractOf } from './define-catalog.js';
export {
  DEFAULT_PRIORITY,
  defineJob,
  type EffectPolicy,
  type Isolation,
  type JobContract,
  type JobOptions,
  type PayloadInput,
  type PayloadOf,
  type ResultOf,
  type ShutdownPolicy,
} from './define-job.js';
export type { JsonSchema } from './describe-schema.js';
export { parseValue, type Parsed, type ParseIssue } from './parse-value.js';
export type { Past, PastVersion } from './past.js';
export { readPayload, type PayloadReading } from './read-payload.js';
export { parseDuration, type Duration } from './duration.js';
export { delays, exponential, fixed, quadratic, type RetryPolicy } from './retry-policy.js';
export type { InputOf, OutputOf, StandardSchema } from './standard-schema.js';
export { toPointer } from './to-pointer.js';
