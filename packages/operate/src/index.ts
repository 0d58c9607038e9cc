export type { Alert, AlertList, AlertSilence } from './alerts/alert.js';
export { acknowledgeAlert, silenceAlert, testAlerts } from './alerts/change-alert.js';
export { listAlerts } from './alerts/list-alerts.js';
export { APPROVAL_STATES, type ApprovalRefusal, type ApprovalState } from './approvals/approval-state.js';
export { decideApproval, type DecidedApproval } from './approvals/decide-approval.js';
export { readApprovals } from './approvals/read-approvals.js';
export { changeWait, type NamedWait } from './waits/change-wait.js';
export type { WaitChange } from './waits/sql/update-wait.js';
export { countJobs } from './search/count-jobs.js';
export { isByDueTime } from './search/plan-search.js';
export { readFilter } from './search/read-filter.js';
export { searchJobs, type JobSearchOptions, type JobSearchPage } from './search/search-jobs.js';
export { findJobTypes } from './search/sql/find-job-types.js';
export { compileFilter, type RowOf } from './search/sql/compile-filter.js';
export type { JobCount } from './search/sql/count-jobs.js';
export type { ListedJob } from '@duework/queue-core/internals';
export { type AnsweredOnce, answerOnce } from './answers/answer-once.js';
export { isKeyFree } from './answers/is-key-free.js';
export { fingerprintRequest } from './answers/fingerprint-request.js';
export type { KeptAnswer } from './answers/kept-answer.js';
export type { RepeatableRequest } from './answers/repeatable-request.js';
export type { ApiKey } from './keys/api-key.js';
export { checkKeys, type KeyCheck } from './keys/check-keys.js';
export { createKey, type CreatedKey, type NewKey } from './keys/create-key.js';
export { findKey } from './keys/find-key.js';
export { listKeys } from './keys/list-keys.js';
export type { KeyLifetime } from './keys/read-expiry.js';
export { readScopes } from './keys/read-scopes.js';
export { revokeKey } from './keys/revoke-key.js';
export { isGrantedScope, SCOPES, splitScopes, type GrantedScope, type Scope } from './keys/scopes.js';
export { reencryptPayloads, type Reencryption, type ReencryptOptions } from './reencrypt/reencrypt-payloads.js';
export { FilterWatch, type FilterWatchOptions } from './live/filter-watch.js';
export type { FollowedPage, PageEvent, PageListener, PageView } from './live/followed-page.js';
export type { JobState } from './live/job-state.js';
export { JobWatch, type JobListener, type JobWatchOptions, type WatchOptions } from './live/job-watch.js';
export { FOLLOWED_PAGE_SIZE, readFollowedPage } from './live/read-followed-page.js';
export { readJobStates } from './live/sql/read-job-states.js';
export { DOCTOR_LIMITS, type DoctorLimits } from './doctor/doctor-limits.js';
export { type Finding, type FindingCode, FINDINGS, type Severity } from './doctor/findings.js';
export { formatBytes } from './doctor/format-bytes.js';
export { type DoctorReport, runDoctor } from './doctor/run-doctor.js';
export { type DatabaseSize, type TableSize } from './doctor/sql/read-size.js';
export { type Replication, type Standby } from './doctor/sql/read-replication.js';
export { careForIndexes, type CareOptions } from './indexes/care-for-indexes.js';
export type { IndexCare, LeftIndex, LeftReason, ListedIndex, RebuiltIndex } from './indexes/index-care.js';
export { listIndexes } from './indexes/list-indexes.js';
export type { BloatLimits, IndexState } from './indexes/state-of-index.js';
export { planRepair, type Repair } from './repair/plan-repair.js';
export { describeSchema, type SchemaThing } from './doctor/sql/describe-schema.js';
export type { AuditedFacts, AuditEntry, AuditFilter, AuditPage } from './audit/audit-entry.js';
export { KINDS_WITH_IDS, nameAuditedFacts } from './audit/name-audited-facts.js';
export { readAudit } from './audit/read-audit.js';
export {
  BULK_VERBS,
  type BulkAction,
  type BulkChange,
  type BulkRefusal,
  type BulkRequest,
  type BulkVerb,
} from './bulk/bulk-action.js';
export { abortBulkAction, undoBulkAction } from './bulk/end-bulk-action.js';
export { hideValues } from './bulk/hide-values.js';
export { getBulkAction, listBulkActions } from './bulk/get-bulk-action.js';
export { previewBulkAction, type BulkPreview } from './bulk/preview-bulk-action.js';
export { startBulkAction } from './bulk/start-bulk-action.js';
export { stepBulkActions } from './bulk/step-bulk-actions.js';
export { checkEffects, type EffectCheckOptions } from './effects/check-effects.js';
export { type Effect, EFFECT_STATUSES } from './effects/effect.js';
export {
  DOUBTS,
  type DoubtfulEffect,
  type EffectCheck,
  type EffectFacts,
  judgeEffects,
  type PastAttempt,
  type UnrecordedJob,
} from './effects/effect-check.js';
export { type EndedJobs, type EndedJobsOptions, readEndedJobs } from './ended/read-ended-jobs.js';
export { readEffects } from './effects/read-effects.js';
export { changeSlots, previewSlots } from './slots/change-slots.js';
export type { QueueSlots, ResizedWorker, SlotsChange } from './slots/slots-change.js';
export { hideStepsOfOthers } from './steps/hide-steps-of-others.js';
export { type GraphJob, type JobStep, STEP_KINDS, STEP_STATUSES, type StepPage } from './steps/job-step.js';
export type { EventState, EventSubscriber, Replay, ReplayPreview, ReplayRequest } from './events/event-state.js';
export { listEvents, previewReplay, replayEvents } from './events/replay-events.js';
export { unsubscribe } from './events/unsubscribe.js';
export { readWorkflows, type WorkflowsOptions } from './workflows/read-workflows.js';
export {
  PLACE_KINDS,
  type WorkflowPlace,
  type Workflows,
  type WorkflowStep,
  type WorkflowType,
} from './workflows/workflow-type.js';
export { readSteps, type StepPageOptions } from './steps/read-steps.js';
export { explainJob } from './explain/explain-job.js';
export { hideValuesOfPayloads } from './explain/hide-values-of-payloads.js';
export { hideOthers } from './explain/hide-others.js';
export type { Explanation, ExplanationCode, ExplanationFacts, Reason } from './explain/explanation.js';
export { changeFlowRule, previewFlowRule } from './flow/change-flow-rule.js';
export { closeKey, openKey } from './flow/close-key.js';
export type {
  FlowChange,
  FlowKey,
  FlowKeyFilter,
  FlowPreview,
  FlowRuleState,
  KeyHolder,
  RuleKind,
  RuleTerms,
} from './flow/flow-rule.js';
export { RULE_KINDS } from './flow/flow-rule.js';
export { type FlowKeyPage, listFlowKeys } from './flow/list-flow-keys.js';
export { kindOfRule } from './flow/kind-of-rule.js';
export { ruleOfKey } from './flow/rule-of-key.js';
export { listFlowRules, showFlowRule } from './flow/list-flow-rules.js';
export {
  FAILURE_RANGES,
  type BeganWith,
  type FailureGroup,
  type FailureRange,
  type Failures,
  readFailures,
} from './failures/read-failures.js';
export type { Figures, Times } from './figures/figures.js';
export { FIGURE_STEPS, type FigureStep, type FiguresRequest, readFigures } from './figures/read-figures.js';
export { listPauses } from './pauses/list-pauses.js';
export { pauseQueue } from './pauses/pause-queue.js';
export { pauseType } from './pauses/pause-type.js';
export { resumeQueue } from './pauses/resume-queue.js';
export { resumeType } from './pauses/resume-type.js';
export { type QueueState, readQueues } from './queues/read-queues.js';
export { readUnserved, type UnservedType } from './unserved/read-unserved.js';
export { type LeasedRun, type LiveWorker, type ReadableType, readWorkers } from './workers/read-workers.js';
export { type HeldBack, holdMaybeDone, type MaybeDone, readMaybeDone } from './origin/restored.js';
export { emptyCopy, moveOrigin, type Origin, readOrigin } from './origin/origin.js';
