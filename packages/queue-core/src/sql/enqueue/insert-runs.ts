import { DueworkError } from '../../errors.js';
import type { NewRun } from '../../ports/producer.js';
import { enqueueMany } from './enqueue-many.js';
import { enqueueOne } from './enqueue-one.js';
import type { InsertedRun } from './inserted-run.js';
import type { Queryable } from '../sql.js';

export interface InsertOptions {
  /** Writes only inside this transaction, in which the caller believes itself to be. */
  readonly expectedTransaction?: string | null;
  /** The wake-ups that are sent at the commit, where a run is new; as `formatHint` makes them. */
  readonly wake?: readonly string[];
}

/**
 * Inserts runs and takes their idempotency keys, all or none, in one round trip, and answers with one for each, in
 * their order. Where another open transaction has taken a key, this statement waits for its end: after a commit it
 * returns that transaction's run, after a rollback it takes the key.
 *
 * Throws `not_in_transaction` where the statement ran in another transaction than the expected one, and `not_migrated`
 * where the database is older than this program; nothing is written then.
 */
export async function insertRuns(
  db: Queryable,
  runs: readonly NewRun[],
  { expectedTransaction = null, wake = [] }: InsertOptions = {},
): Promise<readonly InsertedRun[]> {
  const answer = await (runs.length === 1
    ? enqueueOne(db, runs[0]!, wake[0] ?? null, expectedTransaction)
    : enqueueMany(db, runs, wake, expectedTransaction));
  if ('left' in answer)
    throw new DueworkError('not_in_transaction', { expected: expectedTransaction!, actual: answer.left });
  return answer;
}
