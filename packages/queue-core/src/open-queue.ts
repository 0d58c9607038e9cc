import type { CallBound } from './admit-calls.js';
import type { JobQueue } from './job-queue.js';
import type { QueueStore } from './ports/store.js';
import { queueOver } from './queue-over.js';
import type { Queryable } from './sql/sql.js';
import { POSTGRES_CAPABILITIES } from './store/postgres-capabilities.js';
import { postgresOperator } from './store/postgres-operator.js';
import { postgresProducer } from './store/postgres-producer.js';

/**
 * The queue in a database, through one client or transaction. The database has room for everything; the process that calls
 * has not: through a client, no more calls than `maxWaiting` are on their way, and the next one is refused or waits.
 *
 * Through a client, calls of `enqueue` that arrive together share a statement, unless they have an idempotency key: each waits
 * for its own commit, and many of them need far fewer. A client extension that reads its caller's context (a tenant, a
 * trace) would see that of one of them; give such a client to `enqueue` and `enqueueMany` themselves.
 *
 * A call whose signal aborts waits no longer. Once its run is in a statement that is on its way, the answer decides.
 *
 * `enqueue` and `enqueueMany` throw `queue_full` where they refuse. Throws `invalid_option` for a bound that is none.
 */
export function openQueue(db: Queryable, bound: CallBound = {}): JobQueue {
  const store: QueueStore = {
    ...postgresProducer(db, bound),
    ...postgresOperator(db),
    capabilities: POSTGRES_CAPABILITIES,
  };
  return queueOver(store);
}
