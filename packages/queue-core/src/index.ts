export type { CallBound, WhenFull } from './admit-calls.js';
export { HandlersError, type HandlersErrorCode } from './check-handlers.js';
export { checkQueuedPayloads, type PayloadCheckOptions } from './check-queued-payloads.js';
export { systemClock, type Clock, type WallClock } from './clock.js';
export { createWorker, type Worker, type WorkerActivity } from './create-worker.js';
export type { EffectContext, Once, OnceOptions } from './effects/effect-context.js';
export { EffectMisuseError, EffectUnknownError } from './effects/effect-errors.js';
export { classifyError } from './engine/classify-error.js';
export { CRASH_POINTS, type CrashPoint, type CrashHook } from './engine/crash-points.js';
export type { ClaimGate } from './engine/claim-gate.js';
export { heartbeatInThread, type HeartbeatThreadOptions } from './engine/leases/heartbeat-in-thread.js';
export type { HeldLease } from './engine/leases/held-lease.js';
export type { Lease, Heartbeat, EngineMessage } from './engine/leases/heartbeat.js';
export { AbortReason, type AbortCode } from './engine/abort-reason.js';
export { checkJobRequest, enqueue, enqueueMany } from './enqueue.js';
export { instrumentEnqueue, type EnqueueHook, type JobToSend, type SendJobs, type SentJob } from './enqueue-hook.js';
export { DueworkError, type DueworkErrorCode, type DueworkErrorFacts, type PayloadIssue } from './errors.js';
export type { EmitEvent, WorkerEvent } from './events.js';
export { HandlerKilledError } from './handler-killed-error.js';
export type { IsolatedAttempt, IsolatedHandler } from './isolated-handler.js';
export { BundledAwayError } from './find-own-file.js';
export { findContract } from './find-contract.js';
export type { Handler, HandlerLog, Handlers, JobContext } from './handler.js';

export { STATUSES, type Job, type JobAttempt, type JobStatus, type Json, type Meta } from './job.js';
export type { JobListing, JobQueue, PauseOptions, WaitOptions } from './job-queue.js';
export { jobRequest, type EnqueueOptions, type JobRequest } from './job-request.js';
export { DEFAULT_PAYLOAD_LIMIT_BYTES } from './make-new-run.js';
export { combineMiddleware, type Middleware } from './middleware.js';
export { openQueue, type QueueOptions } from './open-queue.js';
export { acknowledgeJob, cancelJob, findJobs, freeKey, getJob, retryJob } from './operate.js';
export { bury, complete, retry, snooze, type Outcome } from './outcome.js';

export type { Chore } from './maintenance/maintain.js';
export type { Act, Via } from './ports/act.js';
export type { PayloadGroup } from './payload-check/payload-tally.js';
export type { JobPage, Pause, PauseKind, QueueDepth } from './ports/operator.js';
export type { EnqueuedJob } from './ports/producer.js';
export type { AbortRecord, AbortStage, ClaimedRun, ErrorRecord, Settlement } from './ports/runs.js';
export type { SkipReason, Ticker, TickReport } from './ports/schedules.js';
export type { Capabilities, Store } from './ports/store.js';
export type { AlertLimits, ChangedContract, ContractRow, RaisedAlert, Retention } from './ports/upkeep.js';

export type { Transactable } from './in-transaction.js';

export { pushContracts } from './registry.js';

export { ensurePartitions } from './sql/ensure-partitions.js';
export { hasWork } from './sql/has-work.js';
export { notifyWake } from './sql/notify-wake.js';
export { readHorizonAge } from './sql/read-horizon-age.js';
export { readNow } from './sql/read-now.js';
export { readQueueDepth } from './sql/read-queue-depth.js';
export { readSensitivePaths, type SensitivePaths } from './sql/read-sensitive-paths.js';
export { readUnreadJobs, type UnreadJobs } from './sql/read-unread-jobs.js';
export { readRegistry, type RegisteredContract, type RegisteredVersion } from './sql/read-registry.js';
export { registerDefinitions } from './sql/register-definitions.js';
export type { PgClient, Queryable, RawClient } from './sql/queryable.js';

export { setKeyRing } from './secrets/current-key-ring.js';
export { createKeyRing, type KeyRing, type KeyRingOptions } from './secrets/key-ring.js';
export { type Cleaner, makeCleaner } from './secrets/make-cleaner.js';
export { parseKeyRing } from './secrets/parse-key-ring.js';
export { unsealPayload } from './secrets/unseal-payload.js';
export type { ResultOptions } from './read-result.js';
export { createPostgresStore } from './store/postgres-store.js';
export { TRANSITIONS, VERBS, type Verb } from './transitions.js';
export type { WorkerOptions } from './worker-options.js';
