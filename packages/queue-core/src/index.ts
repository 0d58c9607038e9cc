export type { CallBound, WhenFull } from './enqueue/admit-calls.js';
export { HandlersError, type HandlersErrorCode } from './run/check-handlers.js';
export { checkQueuedPayloads, type PayloadCheckOptions } from './registry/check-queued-payloads.js';
export { systemClock, type Clock, type WallClock } from './clock.js';
export { openTaker, type JobTaker, type TakenJob, type TakenOf, type TakerOptions } from './take/open-taker.js';
export { createWorker, type Worker, type WorkerActivity } from './worker/create-worker.js';
export type { EffectContext, Once, OnceOptions } from './effects/effect-context.js';
export { EffectMisuseError, EffectUnknownError } from './effects/effect-errors.js';
export { AbortReason, type AbortCode } from './settle/attempt-end.js';
export { HandlerKilledError } from './settle/attempt-errors.js';
export { StepMisuseError, type StepMisuseCode } from './step-misuse-error.js';
export { StepFailedError } from './step-errors.js';
export type { Approval, ApprovalOptions, ApprovalQuestion, ApprovalRequest, ChoiceOf } from './approvals/approval.js';
export type {
  ChildOptions,
  DurableContext,
  DurableOf,
  JobEnd,
  Step,
  StepWaitOptions,
} from './steps/durable-context.js';
export { addToBatch, cancelBatch, enqueueBatch, getBatch, listBatches } from './batches/enqueue-batch.js';
export type { BatchListing, BatchVerbs } from './batches/batches-over.js';
export type { BatchCallback, BatchRequest } from './batches/make-new-batch.js';
export { publish } from './enqueue/publish.js';
export type { PublishOptions } from './enqueue/make-new-event.js';
export { signal } from './enqueue/signal.js';
export type { StepFailure } from './ports/steps.js';
export type { AttemptFailure, Backoff, Backoffs } from './settle/own-backoff.js';
export { classifyError } from './settle/classify-error.js';
export { CRASH_POINTS, WAIT_CRASH_POINTS, type CrashPoint, type CrashHook } from './run/attempt.js';
export type { ClaimBrake } from './claim/claim-brakes.js';
export { heartbeatInThread, type HeartbeatThreadOptions } from './leases/heartbeat-in-thread.js';
export type { EngineMessage, Heartbeat } from './leases/heartbeat.js';
export type { HeldLease, Lease } from './leases/lease.js';
export { checkJobRequest, enqueue, enqueueMany } from './enqueue/enqueue.js';
export {
  instrumentEnqueue,
  type EnqueueHook,
  type JobToSend,
  type SendJobs,
  type SentJob,
} from './enqueue/enqueue-hook.js';
export { DueworkError, type DueworkErrorCode, type DueworkErrorFacts, type PayloadIssue } from '@duework/sql/errors';
export type { EmitEvent, WorkerEvent } from './events.js';
export { BundledAwayError } from './find-own-file.js';
export { findContract } from './enqueue/find-contract.js';
export {
  combineMiddleware,
  type CallContext,
  type CallOutcomes,
  type CollectedJob,
  type CollectHandler,
  type Handler,
  type HandlerLog,
  type HandlerOf,
  type Handlers,
  type IsolatedAttempt,
  type IsolatedCheck,
  type IsolatedHost,
  type IsolatedHandler,
  type JobContext,
  type Middleware,
} from './run/handler.js';

export {
  STATUSES,
  type Job,
  type JobAttempt,
  type JobGate,
  type JobStatus,
  type Json,
  type Meta,
} from './queue/job.js';
export type { JobListing, JobQueue, PauseOptions, WaitOptions } from './queue/job-queue.js';
export type { JobChanges, JobVerb, JobVerbs, RetryOptions } from './queue/job-verbs.js';
export { jobRequest, type EnqueueOptions, type JobRequest } from './enqueue/job-request.js';
export { DEFAULT_PAYLOAD_LIMIT_BYTES } from './enqueue/make-new-run.js';
export { openQueue, type QueueOptions } from './queue/open-queue.js';
export { bury, complete, rateLimited, retry, snooze, type Outcome } from './settle/outcome.js';
export * from './queue/operate.js';
export type { JobChange } from './queue/job-change.js';

export type { Chore } from './maintenance/do-chores.js';
export { alertNames, describeAlert } from './maintenance/describe-alert.js';
export { tellAlerts, type AlertPlan, type AlertWay } from './maintenance/tell-alerts.js';
export type { Act, Via } from './ports/act.js';
export type { Batch, BatchPage, CancelledBatch } from './ports/batches.js';
export { BATCH_MOMENTS, type BatchMoment } from './ports/producer.js';
export type { PayloadFault, SampledVersion } from './registry/payload-check/parse-tally.js';
export type { PayloadGroup } from './registry/payload-check/payload-tally.js';
export type { VersionState } from './registry/payload-check/state-of-version.js';
export type { JobPage, Pause, PauseKind, QueueDepth } from './ports/operator.js';
export type { EnqueuedJob, PublishedEvent } from './ports/producer.js';
export type { AbortRecord, AbortStage, ClaimedRun, ErrorRecord, Settlement } from './ports/runs.js';
export type { SkipReason, Ticker, TickReport } from './ports/schedules.js';
export type { Capabilities, Store } from './ports/store.js';
export type { ChangedContract, ContractRow, Retention } from './ports/upkeep.js';
export {
  ALERT_SEVERITIES,
  keyOfAlert,
  type AlertCondition,
  type AlertLimits,
  type AlertMessage,
  type AlertName,
  type AlertSeverity,
} from './ports/alerts.js';

export { readNow, type PgClient, type Queryable, type RawClient, type Transactable } from '@duework/sql';

export { pushContracts } from './registry/registry.js';

export { ensurePartitions } from './sql/enqueue/ensure-partitions.js';
export { hasWork } from './sql/claim/has-work.js';
export { notifyWake } from './sql/wake/notify-wake.js';
export { readHorizonAge } from './sql/upkeep/read-horizon-age.js';
export { readDepthForAlerts, readQueueDepth } from './sql/claim/read-queue-depth.js';
export { readSensitivePaths, type SensitivePaths } from './sql/registry/read-sensitive-paths.js';
export { readUnservedJobs, type UnservedJobs } from './sql/registry/read-unserved-jobs.js';
export { readRegistry, type RegisteredContract, type RegisteredVersion } from './sql/registry/read-registry.js';
export { registerDefinitions } from './sql/registry/register-definitions.js';

export type { OffloadOptions, Size } from './objects/current-offload.js';
export type { ObjectRef, ObjectStore } from './objects/object-store.js';
export type { ObjectSource } from './objects/put-object.js';
export { setKeyRing } from './secrets/current-key-ring.js';
export { createKeyRing, type KeyRing, type KeyRingOptions } from './secrets/key-ring.js';
export { type Cleaner, makeCleaner } from './secrets/make-cleaner.js';
export { parseKeyRing } from './secrets/parse-key-ring.js';
export { unsealPayload } from './secrets/unseal-payload.js';
export type { ResultOptions } from './queue/read-result.js';
export { type PayloadParses, sampleQueuedPayloads } from './registry/sample-queued-payloads.js';
export { createPostgresStore } from './store/postgres-store.js';
export { TRANSITIONS, VERBS, type Verb } from './transitions.js';
export type { WorkerOptions } from './worker/worker-options.js';
