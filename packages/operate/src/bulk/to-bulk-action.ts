import type { BulkAction } from './bulk-action.js';
import { hideValue } from './edited-value.js';
import type { BulkActionRow } from './sql/bulk-action-row.js';

/** How long after its end an action can be undone. */
export const UNDO_MS = 3_600_000;

/** The verbs whose undo means something: a deleted job is gone, and a key that was freed may be another's. */
export const UNDOABLE: readonly string[] = [
  'retry',
  'cancel',
  'reschedule',
  'change_priority',
  'change_queue',
  'edit_payload',
];

/** An action as people see it. */
export function toBulkAction(row: BulkActionRow): BulkAction {
  const { id, filter, options, undoOf, status, by, via, from, reason, total, totalIsAtLeast, done, refused } = row;
  const canBeUndone = UNDOABLE.includes(row.verb) && row.finishedAtMs !== null && !row.isUndone && done > 0;
  return {
    id,
    verb: row.verb as BulkAction['verb'],
    filter,
    options: hideValue(options),
    undoOf,
    status,
    by,
    via,
    from,
    reason,
    total: { count: total, isAtLeast: totalIsAtLeast },
    done,
    refused,
    createdAt: new Date(row.createdAtMs),
    finishedAt: row.finishedAtMs === null ? null : new Date(row.finishedAtMs),
    undoUntil: canBeUndone ? new Date(row.finishedAtMs! + UNDO_MS) : null,
  };
}
