/**
 * `@duework/queue-core/internals`: for the sibling packages only. It changes whenever they do; nothing else imports it.
 */
export { checkText } from './check-text.js';
export { pause } from './clock.js';
export { checkPayloadShape, encodePayload } from './encode-payload.js';
export { isRefusal } from './engine/read-sqlstate.js';
export { CallGroup } from './group-calls.js';
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
export { countJobs, MAX_COUNT, type JobCount } from './sql/count-jobs.js';
export { isReadable, readableVersions } from './sql/readable-versions.js';
export { readTransactionId } from './sql/read-transaction-id.js';
export { insertRuns } from './sql/insert-runs.js';
export type { InsertedRun } from './sql/inserted-run.js';
export type { JobSearch, SearchMoment, SearchSource, SourceName } from './sql/job-search.js';
export { retainExpiredKeys } from './sql/retain-expired-keys.js';
export { retainWithRuns } from './sql/retain-with-runs.js';
export { searchJobs, type SearchPage } from './sql/search-jobs.js';
export { type Sql, compose, empty, join, queryRows, sql } from './sql/sql.js';
export { toArray } from './sql/to-array.js';
export { showValue } from './storable-text.js';
