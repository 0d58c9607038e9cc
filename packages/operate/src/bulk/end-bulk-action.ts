import { type Act, DueworkError, type Queryable, readNow } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import type { BulkAction } from './bulk-action.js';
import { findOne, findRow } from './get-bulk-action.js';
import { abortBulkActionRow } from './sql/abort-bulk-action.js';
import { insertBulkAction } from './sql/insert-bulk-action.js';
import { UNDO_MS, UNDOABLE } from './to-bulk-action.js';

/**
 * Ends an action: its changes stay, and may be undone. The current step ends first. Throws `bulk_action_not_found`,
 * `bulk_action_over`.
 */
export async function abortBulkAction(db: Queryable, id: string, act: Act = {}): Promise<BulkAction> {
  checkAct(act);
  const { status } = await findRow(db, id);
  if (!(await abortBulkActionRow(db, id, act)))
    throw new DueworkError('bulk_action_over', { id, status: status === 'running' ? 'finished' : status });
  return findOne(db, id);
}

/**
 * Begins the undo of an action that ended within the last hour: a new action, which changes back the jobs that are as
 * the first left them, and refuses the others (`changed_meanwhile`). Throws `bulk_action_not_found`,
 * `undo_not_possible`.
 */
export async function undoBulkAction(db: Queryable, id: string, act: Act = {}): Promise<BulkAction> {
  checkAct(act);
  const row = await findRow(db, id);
  const refuse = (reason: string): never => {
    throw new DueworkError('undo_not_possible', { id, reason });
  };
  if (!UNDOABLE.includes(row.verb)) refuse(`what ${row.verb} does cannot be taken back`);
  if (row.finishedAtMs === null) refuse('it is running; abort it first');
  if (row.isUndone) refuse('it has been undone already');
  if ((await readNow(db)) > row.finishedAtMs! + UNDO_MS) refuse('it ended more than an hour ago');
  if (row.done === 0) refuse('it has changed nothing');
  // what is given back is stored as it was, and needs no key
  const { keyId: _, ...rest } = row.options;
  const options = { verb: row.verb, ...rest };
  const undoId = await insertBulkAction(
    db,
    {
      verb: 'undo',
      filter: '',
      auditedFilter: '',
      jobType: null,
      options,
      auditedOptions: {},
      undoOf: id,
      total: { count: row.done, isAtLeast: false },
      stage: 'undo',
      perSecond: row.perSecond,
    },
    act,
  );
  return findOne(db, undoId ?? refuse('it has been undone already'));
}
