import { CallAdmission, type CallBound } from '../admit-calls.js';
import { EnqueueGroup } from '../group-enqueues.js';
import { isClient } from '../join-transaction.js';
import type { Producer } from '../ports/producer.js';
import type { Queryable } from '../sql/sql.js';
import { writeRuns } from './write-runs.js';

/**
 * Writes runs through `db`. Through a client, at most as many calls as `bound` says are on their way at once, and runs
 * that come one by one share statements, unless they have a key. In a transaction every call is a statement of its own.
 */
export function postgresProducer(db: Queryable, bound: CallBound = {}): Producer {
  const admission = new CallAdmission(bound);
  if (!isClient(db)) return { insert: (runs) => writeRuns(db, runs) };
  const group = new EnqueueGroup(db);
  return {
    insert: (runs, signal) =>
      admission.run(signal, async () => {
        const [run] = runs;
        return runs.length === 1 && run!.key === null ? [await group.enqueue(run!, signal)] : writeRuns(db, runs);
      }),
  };
}
