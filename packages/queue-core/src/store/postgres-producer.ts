import { EnqueueGroup } from '../group-enqueues.js';
import { isClient } from '../join-transaction.js';
import type { Producer } from '../ports/producer.js';
import type { Queryable } from '../sql/sql.js';
import { writeRuns } from './write-runs.js';

/**
 * Writes runs through `db`. It has room for everything, so nobody waits. Through a client, runs that come one by one share
 * statements, unless they have a key.
 */
export function postgresProducer(db: Queryable): Producer {
  const group = isClient(db) ? new EnqueueGroup(db) : null;
  return {
    async insert(runs) {
      const [run] = runs;
      const isAlone = runs.length === 1 && run!.key === null;
      return group !== null && isAlone ? [await group.enqueue(run!)] : writeRuns(db, runs);
    },
  };
}
