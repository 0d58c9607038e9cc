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
export { asksForPayloads } from './bulk/check-change.js';
export { getBulkAction, listBulkActions } from './bulk/get-bulk-action.js';
export { previewBulkAction, type BulkPreview } from './bulk/preview-bulk-action.js';
export { startBulkAction } from './bulk/start-bulk-action.js';
export { stepBulkActions } from './bulk/step-bulk-actions.js';
