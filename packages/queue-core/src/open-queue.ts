import type { JobQueue } from './job-queue.js';
import type { QueueStore } from './ports/store.js';
import { queueOver } from './queue-over.js';
import type { Queryable } from './sql/sql.js';
import { POSTGRES_CAPABILITIES } from './store/postgres-capabilities.js';
import { postgresOperator } from './store/postgres-operator.js';
import { postgresProducer } from './store/postgres-producer.js';

/**
 * The queue in a database, through one client or transaction. It has room for everything, so nobody waits.
 *
 * Through a client, calls of `enqueue` that arrive together share a statement, unless they have an idempotency key: each waits
 * for its own commit, and many of them need far fewer. A client extension that reads its caller's context (a tenant, a
 * trace) would see that of one of them; give such a client to `enqueue` and `enqueueMany` themselves.
 */
export function openQueue(db: Queryable): JobQueue {
  const store: QueueStore = {
    ...postgresProducer(db),
    ...postgresOperator(db),
    capabilities: POSTGRES_CAPABILITIES,
  };
  return queueOver(store);
}
