import { DueworkError, type Queryable } from '@duework/queue-core';
import type { BulkAction } from './bulk-action.js';
import type { BulkActionRow } from './sql/bulk-action-row.js';
import { findBulkAction, listBulkActionRows } from './sql/find-bulk-actions.js';
import { toBulkAction } from './to-bulk-action.js';

const MAX_LIMIT = 200;

/** The row of an action. Throws `bulk_action_not_found`. */
export async function findRow(db: Queryable, id: string): Promise<BulkActionRow> {
  const row = isId(id) ? await findBulkAction(db, id) : null;
  if (row === null) throw new DueworkError('bulk_action_not_found', { id });
  return row;
}

/** One action and its progress. Throws `bulk_action_not_found`. */
export async function findOne(db: Queryable, id: string): Promise<BulkAction> {
  return toBulkAction(await findRow(db, id));
}

export { findOne as getBulkAction };

/** Actions, newest first, 1 to 200 a page (50 unless given). Throws `invalid_option`, `invalid_cursor`. */
export async function listBulkActions(
  db: Queryable,
  { cursor, limit = 50 }: { cursor?: string | undefined; limit?: number | undefined } = {},
): Promise<{ actions: readonly BulkAction[]; nextCursor: string | null }> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new DueworkError('invalid_option', {
      option: 'limit',
      expected: `a whole number from 1 to ${MAX_LIMIT}`,
      value: limit,
    });
  if (cursor !== undefined && !isId(cursor)) throw new DueworkError('invalid_cursor', { cursor });
  const rows = await listBulkActionRows(db, { beforeId: cursor, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { actions: page.map(toBulkAction), nextCursor: rows.length > limit ? page.at(-1)!.id : null };
}

const isId = (id: string): boolean => typeof id === 'string' && /^[1-9]\d{0,17}$/.test(id);
