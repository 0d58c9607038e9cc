import { expectedTransaction, recogniseClient, type Queryable } from '@duework/sql';
import type { EnqueuedJob, NewRun, JoinedBatch } from '../ports/producer.js';
import { insertRuns, tryInsertRuns } from '../sql/enqueue/insert-runs.js';
import { notifyWake } from '../sql/wake/notify-wake.js';
import { takeQueuesToWake } from '../wake/take-queues-to-wake.js';

/**
 * Writes runs in one round trip, all or none, and returns them in their order. Throws `not_in_transaction` where the
 * statement left the caller's transaction, `unknown_client` and `not_migrated`.
 */
export async function writeRuns(db: Queryable, runs: readonly NewRun[]): Promise<EnqueuedJob[]> {
  return (await write(db, runs, insertRuns))!;
}

/** The same for the runs of a batch, which may be none. Throws `batch_not_found` and `batch_settled`, too. */
export async function writeBatch(db: Queryable, batch: JoinedBatch, runs: readonly NewRun[]): Promise<EnqueuedJob[]> {
  return (await write(db, runs, (client, ofBatch, options) => insertRuns(client, ofBatch, { ...options, batch })))!;
}

/** The same, but null, and nothing is written, where another open transaction has taken one of the keys. */
export function tryWriteRuns(db: Queryable, runs: readonly NewRun[]): Promise<EnqueuedJob[] | null> {
  return write(db, runs, tryInsertRuns);
}

async function write(
  db: Queryable,
  runs: readonly NewRun[],
  insert: typeof tryInsertRuns,
): Promise<EnqueuedJob[] | null> {
  const client = recogniseClient(db);
  const expected = expectedTransaction(client);
  // without a pause where there is nothing to wait for: the statement is then sent before the caller can send a COMMIT
  const expectedId = expected instanceof Promise ? await expected : expected;
  const turns = takeQueuesToWake(client, runs);
  const inserted = await insert(client, runs, { expectedTransaction: expectedId, wake: turns.hints });
  const hasWritten = inserted !== null && inserted.some(({ status }) => status === null);
  for (const queue of turns.end(hasWritten)) await notifyWake(client, queue);
  if (inserted === null) return null;
  return inserted.map(({ id, runAtMs, status, payloadDiffers }, index) => ({
    id,
    type: runs[index]!.type,
    status: status ?? 'queued',
    runAt: new Date(runAtMs),
    isDeduplicated: status !== null,
    payloadDiffers,
  }));
}
