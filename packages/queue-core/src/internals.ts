/**
 * `@duework/queue-core/internals`: for the sibling packages only. It changes whenever they do; nothing else imports it.
 */
export { checkAct } from './queue/check-act.js';
export { pause } from './clock.js';
export { CallGroup } from './enqueue/group-calls.js';
export { checkPayloadShape, encodeJson, encodePayload } from './enqueue/encode-payload.js';
export { FiguresTally } from './figures/figures-tally.js';
export { findOwnFile } from './run/find-own-file.js';
export { heartbeatHere } from './leases/heartbeat-here.js';
export { heartbeatIntervalMs } from './leases/heartbeat-interval.js';
export { inBatches } from './maintenance/in-batches.js';
export { pruneRuns } from './maintenance/prune-runs.js';
export { makeNewRun } from './enqueue/make-new-run.js';
export { PayloadTally } from './registry/payload-check/payload-tally.js';
export type { NewRun } from './ports/producer.js';
export { cancelRun } from './sql/operate/cancel-run.js';
export { claimRuns } from './sql/claim/claim-runs.js';
export { isReadable, readableVersions } from './sql/claim/readable-versions.js';
export { findJobs as findJobsById } from './sql/operate/find-jobs.js';
export { copiedColumns, havePassed, historyColumns, insertHistory, passGates } from './sql/fragments.js';
export { anew, type Return, returnToQueue } from './sql/operate/return-to-queue.js';
export { areInLine, gateIn, gatesIn, heldUntil, lineUp, lineUpAnew } from './sql/flow/hold-again.js';
export { lookAt, ordersOf } from './sql/flow/look-at.js';
export { gatesOf, type Gates } from './flow/gates-of.js';
export { insertAudit } from './sql/operate/insert-audit.js';
export { insertRuns } from './sql/enqueue/insert-runs.js';
export type { InsertedRun } from './sql/enqueue/inserted-run.js';
export { pruneAudit, pruneBulkActions } from './sql/upkeep/prune-audit.js';
export type { JobSearch, SearchSource, SourceName } from './sql/search/job-search.js';
export { pruneExpiredKeys } from './sql/upkeep/prune-expired-keys.js';
export { pruneWithRuns } from './sql/upkeep/prune-with-runs.js';
export { findIds, findRunning, searchJobs, searchListedJobs, type SearchPage } from './sql/search/search-jobs.js';
export type { ListedJob } from './queue/job.js';
export { readStored } from './sql/search/stored-values.js';
export { sendThroughHook } from './enqueue/send-through-hook.js';
export { currentKeyRing } from './secrets/current-key-ring.js';
export { sealPayload } from './secrets/seal-payload.js';
export { sealedPlace } from './secrets/sealed-place.js';
