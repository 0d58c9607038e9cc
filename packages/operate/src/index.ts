export type { AuditedFacts, AuditEntry, AuditFilter, AuditPage } from './audit/audit-entry.js';
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
export { getBulkAction, listBulkActions } from './bulk/get-bulk-action.js';
export { previewBulkAction, type BulkPreview } from './bulk/preview-bulk-action.js';
export { startBulkAction } from './bulk/start-bulk-action.js';
export { stepBulkActions } from './bulk/step-bulk-actions.js';
export { explainJob } from './explain/explain-job.js';
export type { Explanation, ExplanationCode, ExplanationFacts, Reason } from './explain/explanation.js';
export {
  FIGURE_STEPS,
  type Figures,
  type FigureStep,
  type FiguresRequest,
  readFigures,
  type Times,
} from './figures/read-figures.js';
export { listPauses } from './pauses/list-pauses.js';
export { pauseQueue } from './pauses/pause-queue.js';
export { pauseType } from './pauses/pause-type.js';
export { resumeQueue } from './pauses/resume-queue.js';
export { resumeType } from './pauses/resume-type.js';
export { type QueueState, readQueues } from './queues/read-queues.js';
export { type LeasedRun, type LiveWorker, type ReadableType, readWorkers } from './workers/read-workers.js';
