export type { AnyJson, Json } from './any-json.js';
export type { Collect, CollectOptions } from './collect.js';
export { canonicalJson } from './compare/canonical-json.js';
export { compareSchemas } from './compare/compare-schemas.js';
export type { Containment } from './compare/containment.js';
export { isSameSchema } from './compare/is-same-schema.js';
export { isName, NAME_RULE } from './is-name.js';
export { catalogVersions, type CatalogVersion } from './lock/catalog-versions.js';
export { classifyVersion, type Classification, type VersionClass } from './lock/classify-version.js';
export { compareContracts, type ContractChange } from './lock/compare-contracts.js';
export { EMPTY_LOCK, lockedVersions, type ContractsLock, type LockedVersion } from './lock/contracts-lock.js';
export { lockContracts } from './lock/lock-contracts.js';
export { formatLock, parseLock } from './lock/parse-lock.js';
export { ContractError, type ContractErrorCode } from './contract-error.js';
export { tellUnknown } from './tell-unknown.js';
export { deadJob, type DeadJob } from './dead-job.js';
export { defineCatalog, type Catalog, type ContractOf } from './define-catalog.js';
export {
  defineSignal,
  keyOfSignal,
  type SignalContract,
  type SignalInput,
  type SignalKey,
  type SignalOutput,
} from './define-signal.js';
export { defineEvent, type EventInput } from './define-event.js';
export { defineJob } from './define-job.js';
export { defineSubscriber } from './define-subscriber.js';
export type {
  EffectPolicy,
  EncryptionPolicy,
  EventContract,
  Isolation,
  JobContract,
  PayloadInput,
  PayloadOf,
  ProgressOf,
  ResultOf,
  ResultOutput,
  ShutdownPolicy,
  Subscription,
} from './job-contract.js';
export type { JobOptions } from './job-options.js';
export { DEFAULT_PRIORITY } from './read-rules.js';
export type {
  BreakerOptions,
  FlowBy,
  FlowOptions,
  FlowUnits,
  FlowValue,
  LimitOptions,
  OrderOptions,
  RateOptions,
  TenantOptions,
} from './flow/flow-options.js';
export type { UniqueOptions, UniqueRule } from './unique/unique-options.js';
export type { FlowPath } from './flow/flow-path.js';
export { MAX_UNITS, type DeclaredRule, type FlowKind, type FlowRule, type FlowRules } from './flow/flow-rule.js';
export type { JsonSchema } from './describe-schema.js';
export { parseValue, type Parsed, type ParseIssue } from './parse-value.js';
export type { Past, PastVersion } from './past.js';
export type { PlainJson } from './plain-json.js';
export { readPayload, type PayloadReading } from './read-payload.js';
export { LONGEST_MS, parseDuration, type Duration } from './duration.js';
export { delays, exponential, fixed, quadratic, type RetryPolicy } from './retry-policy.js';
export { changeAtPaths } from './sensitive/change-at-paths.js';
export { isSensitivePath } from './sensitive/is-sensitive-path.js';
export { redactPayload, redactResult, SENSITIVE } from './sensitive/redact-payload.js';
export { isSealed, keyIdOf, type SealedValue } from './sensitive/sealed-value.js';
export type { SensitivePath } from './sensitive/sensitive-path.js';
export type { InputOf, JsonSchemaOf, OutputOf, StandardSchema } from './standard-schema.js';
export { toPointer } from './to-pointer.js';
