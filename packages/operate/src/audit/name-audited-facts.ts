import { nameFilterIds } from '@duework/filter';
import type { AuditedFacts } from './audit-entry.js';

/** The kinds of what is changed whose `target` is an id that its database gave out. */
export const KINDS_WITH_IDS: readonly string[] = ['job', 'batch', 'bulk_action'];

/**
 * The facts of an entry as those outside its shard read them: `name` puts the name of the shard before an id. A schedule that
 * was triggered says its job, a bulk action its filter and the action that it undoes.
 */
export function nameAuditedFacts(
  kind: string,
  facts: AuditedFacts | null,
  name: (id: string) => string,
): AuditedFacts | null {
  if (facts === null) return null;
  const { jobId, undoOf, filter } = facts;
  if (kind === 'schedule' && typeof jobId === 'string') return { ...facts, jobId: name(jobId) };
  if (kind !== 'bulk_action') return facts;
  return {
    ...facts,
    ...(typeof undoOf === 'string' ? { undoOf: name(undoOf) } : {}),
    ...(typeof filter === 'string' ? { filter: nameFilterIds(filter, name) } : {}),
  };
}
