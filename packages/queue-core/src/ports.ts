/**
 * `@duework/queue-core/ports`: what a store implements, the types it uses, and what is built over it. A store needs
 * nothing else of this package but its errors.
 */
export type { EffectAnswer, EffectEnding, EffectKey, EffectRequest, EffectStore } from './ports/effects.js';
export type { Act, Via } from './ports/act.js';
export type { Batch, BatchPage, CancelledBatch } from './ports/batches.js';
export { BATCH_MOMENTS, type BatchMoment, type JoinedBatch } from './ports/producer.js';
export type { JobFilter, JobPage, NewPause, Operator, Pause, PauseKind, QueueDepth } from './ports/operator.js';
export type { Retry, RunUpdate, UpdateAnswer } from './ports/operator.js';
export { fromTerms, makeTerms, toTerms } from './ports/producer.js';
export type { EnqueuedJob, NewRun, NewSignal, NewTerms, Producer, RunFlow } from './ports/producer.js';
export { notesOf, type GateNotes } from './sql/flow/note-gates.js';
export { computeBackoff } from './settle/compute-backoff.js';
export {
  RETRY_BUDGET_EXHAUSTED,
  SNOOZE_LIMIT,
  UNCOUNTED_SNOOZES,
  type AbortCode,
  type AbortRecord,
  type AbortStage,
  type Claim,
  type ClaimableContract,
  type ClaimedRun,
  type ClaimRequest,
  type Completion,
  type ErrorRecord,
  type ExtendedLease,
  type LeaseToExtend,
  type RunStore,
  type RunTerms,
  type SettledStatus,
  type Settlement,
  type Taker,
  type Transaction,
} from './ports/runs.js';
export {
  ALERT_SEVERITIES,
  keyOfAlert,
  type AlertCondition,
  type AlertLimits,
  type AlertMessage,
  type AlertTold,
} from './ports/alerts.js';
export type { SkipReason, Ticker, TickReport } from './ports/schedules.js';
export type { Capabilities, Capable, QueueStore, Store } from './ports/store.js';
export type {
  EndedWait,
  NewStep,
  NewWait,
  StepAnswer,
  StepFailure,
  StepRow,
  StepStore,
  WaitAnswer,
  WaitRow,
} from './ports/steps.js';
export {
  EXPIRY,
  RESCUE,
  type AskedChore,
  type ChangedContract,
  type ContractRow,
  type ExpiredRun,
  type FiguresRow,
  type LostLook,
  LOST_MESSAGE,
  type RescuedRun,
  type TakenChores,
  type WhoseRuns,
  type Retention,
  type Upkeep,
  type ChangedSlots,
  type WorkerContracts,
  type WorkerLoad,
  type WorkerPlace,
} from './ports/upkeep.js';
export { ALERT_LATELY_MS, findAlerts, nameError, type AlertView } from './maintenance/find-alerts.js';
export { judgeAlerts, noteTold, type AlertState } from './maintenance/judge-alerts.js';
export type { WakeMessage, Wakes } from './ports/wakes.js';
export { makeNewRun } from './enqueue/make-new-run.js';
export { queueOver } from './queue/queue-over.js';
export { checkCapabilities } from './batches/batches-over.js';
export { checkContracts } from './queue/check-contracts.js';
export { ownDays, retentionOf, type OwnDays } from './maintenance/own-retention.js';
export { requireCapability } from './require-capability.js';
