import { expectedTransaction } from '../enqueue/join-transaction.js';
import type { EnqueuedJob, NewRun } from '../ports/producer.js';
import { insertRuns } from '../sql/enqueue/insert-runs.js';
import { notifyWake } from '../sql/wake/notify-wake.js';
import { recogniseClient } from '../clients/recognise-client.js';
import type { Queryable } from '../sql/sql.js';
import { takeQueuesToWake } from '../wake/take-queues-to-wake.js';

/**
 * Writes runs in one round trip, all or none, and returns them in their order. Throws `not_in_transaction` where the
 * statement left the caller's transaction, `unknown_client` and `not_migrated`.
 */
export async function writeRuns(db: Queryable, runs: readonly NewRun[]): Promise<EnqueuedJob[]> {
  const client = recogniseClient(db);
  const expected = expectedTransaction(client);
  // without a pause where there is nothing to wait for: the statement is then sent before the caller can send a COMMIT
  const expectedId = expected === null ? null : await expected;
  const turns = takeQueuesToWake(client, runs);
  const inserted = await insertRuns(client, runs, { expectedTransaction: expectedId, wake: turns.hints });
  for (const queue of turns.end(inserted.some(({ status }) => status === null))) await notifyWake(client, queue);
  return inserted.map(({ id, runAtMs, status, payloadDiffers }, index) => ({
    id,
    type: runs[index]!.type,
    status: status ?? 'queued',
    runAt: new Date(runAtMs),
    isDeduplicated: status !== null,
    payloadDiffers,
  }));
}
