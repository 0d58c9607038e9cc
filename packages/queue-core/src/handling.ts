/**
 * `@duework/queue-core/handling`: what code inside a handler needs, without the engine and its SQL, so that a process
 * that is started for one attempt loads little.
 */
export { type Clock, systemClock, waitAtMost } from './clock.js';
export { isUndone } from './effects/once.js';
export type { EffectContext, Once, OnceOptions } from './effects/effect-context.js';
export { EffectMisuseError, EffectUnknownError } from './effects/effect-errors.js';
export { encodeJson } from './enqueue/encode-payload.js';
export { brand, docsOf, hasBrand, readSqlstate } from '@duework/sql/errors';
export { type AbortCode, AbortReason } from './settle/attempt-end.js';
export { importInstalled } from './import-installed.js';
export { type Outcome, bury, complete, rateLimited, retry, snooze } from './settle/outcome.js';
export { readOutcome } from './settle/attempt-end.js';
