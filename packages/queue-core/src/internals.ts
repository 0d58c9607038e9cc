/**
 * `@duework/queue-core/internals`: what the packages beside this one are built with. It changes whenever they do; nothing
 * else imports it.
 */
export { checkText } from './check-text.js';
export { pause } from './clock.js';
export { checkPayloadShape, encodePayload, toPointer } from './encode-payload.js';
export { isRefusal } from './engine/read-sqlstate.js';
export { inTransaction } from './in-transaction.js';
export { isMoment } from './is-moment.js';
export { checkJoined } from './join-transaction.js';
export { inBatches } from './maintenance/in-batches.js';
export { makeNewRun } from './make-new-run.js';
export { type OperatedRuns, operateOn } from './operate-on.js';
export type { EffectAnswer, EffectKey, EffectRequest } from './sql/begin-effect.js';
export { cancelRun } from './sql/cancel-run.js';
export { type ClaimRequest, claimRuns } from './sql/claim-runs.js';
export type { EffectEnding } from './sql/end-effect.js';
export type { ExtendedLease, LeaseToExtend } from './sql/extend-leases.js';
export { type InsertedRun, type NewRun, insertRuns } from './sql/insert-runs.js';
export { type JobFilter, type JobRows } from './sql/list-jobs.js';
export { SNOOZE_LIMIT } from './sql/snooze-runs.js';
export { computeBackoff } from './engine/compute-backoff.js';
export { LOST_MESSAGE, type RescuedRun } from './sql/rescue-runs.js';
export { retainExpiredKeys } from './sql/retain-expired-keys.js';
export { retainWithRuns } from './sql/retain-with-runs.js';
export { type Sql, empty, join, queryRows, sql } from './sql/sql.js';
export { showValue } from './storable-text.js';
export type { SettledStatus } from './store/store.js';
