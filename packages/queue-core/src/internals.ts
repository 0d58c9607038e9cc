/**
 * `@duework/queue-core/internals`: for the sibling packages only. It changes whenever they do; nothing else imports it.
 */
export { checkAct } from './check-act.js';
export { checkText } from './check-text.js';
export { pause } from './clock.js';
export { CallGroup } from './group-calls.js';
export { isRefusal, readSqlstate } from './engine/read-sqlstate.js';
export { checkPayloadShape, encodeJson, encodePayload } from './encode-payload.js';
export { inTransaction } from './in-transaction.js';
export { findOwnFile } from './find-own-file.js';
export { isMoment } from './is-moment.js';
export { inBatches } from './maintenance/in-batches.js';
export { retainRuns } from './maintenance/retain-runs.js';
export { makeNewRun } from './make-new-run.js';
export { PayloadTally } from './payload-check/payload-tally.js';
export type { NewRun } from './ports/producer.js';
export { recogniseClient } from './recognise-client.js';
export { cancelRun } from './sql/cancel-run.js';
export { claimRuns } from './sql/claim-runs.js';
export { isReadable, readableVersions } from './sql/readable-versions.js';
export { readTransactionId } from './sql/read-transaction-id.js';
export { findJobs as findJobsById } from './sql/find-jobs.js';
export { copiedColumns, historyColumns, insertHistory } from './sql/fragments.js';
export { type AuditedChange, insertAudit } from './sql/insert-audit.js';
export { insertRuns } from './sql/insert-runs.js';
export type { InsertedRun } from './sql/inserted-run.js';
export { isoText } from './sql/iso-text.js';
export { retainAudit, retainBulkActions } from './sql/retain-audit.js';
export { retainExpiredKeys } from './sql/retain-expired-keys.js';
export { retainWithRuns } from './sql/retain-with-runs.js';
export { type Sql, empty, join, queryRows, sql } from './sql/sql.js';
export { toArray } from './sql/to-array.js';
export { sealPayload } from './secrets/seal-payload.js';
export { sealedPlace } from './secrets/sealed-place.js';
export { type WrittenChange, writeAudit } from './sql/write-audit.js';
export { showValue } from './storable-text.js';
