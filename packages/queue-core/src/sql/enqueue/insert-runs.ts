import { DueworkError } from '@duework/sql/errors';
import type { JoinedBatch, NewRun } from '../../ports/producer.js';
import { enqueueMany } from './enqueue-many.js';
import { enqueueOne } from './enqueue-one.js';
import { enqueueUnique } from './enqueue-unique.js';
import type { InsertedRun, LeftTransaction } from './inserted-run.js';
import type { Queryable } from '@duework/sql';

export interface InsertOptions {
  /** Writes only inside this transaction, in which the caller believes itself to be. */
  readonly expectedTransaction?: string | null;
  /** The wake-ups that are sent at the commit, where a run is new; as `formatHint` makes them. */
  readonly wake?: readonly string[];
  /** What new runs belong to; it may be none. */
  readonly batch?: JoinedBatch | null;
}

/**
 * Inserts runs and takes their idempotency keys, all or none, in one round trip, and answers with one for each, in
 * their order. Where another open transaction has taken a key, this statement waits for its end: after a commit it
 * returns that transaction's run, after a rollback it takes the key.
 *
 * Throws `job_exists` where a contract refuses a second run of a key, `not_in_transaction` where the statement ran in another transaction than the expected one, and `not_migrated`
 * where the database is older than this program, and `batch_not_found` and `batch_settled`; nothing is written then.
 */
export async function insertRuns(
  db: Queryable,
  runs: readonly NewRun[],
  { expectedTransaction = null, wake = [], batch = null }: InsertOptions = {},
): Promise<readonly InsertedRun[]> {
  const answer = await (batch !== null
    ? enqueueMany(db, runs, wake, expectedTransaction, true, batch)
    : runs.some(({ unique }) => unique !== null)
      ? enqueueUnique(db, runs, wake, expectedTransaction)
      : runs.length === 1
        ? enqueueOne(db, runs[0]!, wake[0] ?? null, expectedTransaction)
        : enqueueMany(db, runs, wake, expectedTransaction));
  // only a statement that does not wait answers with null
  return inTransaction(answer!, expectedTransaction);
}

/** The same, but null, and nothing is written, where another open transaction has taken one of the keys. */
export async function tryInsertRuns(
  db: Queryable,
  runs: readonly NewRun[],
  { expectedTransaction = null, wake = [] }: InsertOptions = {},
): Promise<readonly InsertedRun[] | null> {
  const answer = await enqueueMany(db, runs, wake, expectedTransaction, false);
  return answer === null ? null : inTransaction(answer, expectedTransaction);
}

function inTransaction(
  answer: readonly InsertedRun[] | LeftTransaction,
  expected: string | null,
): readonly InsertedRun[] {
  if ('left' in answer) throw new DueworkError('not_in_transaction', { expected: expected!, actual: answer.left });
  return answer;
}
