import type { CallBound } from '../enqueue/admit-calls.js';
import type { JobQueue } from './job-queue.js';
import type { QueueStore } from '../ports/store.js';
import { queueOver } from './queue-over.js';
import type { Queryable } from '@duework/sql';
import { POSTGRES_CAPABILITIES } from '../store/postgres-capabilities.js';
import { postgresOperator } from '../store/postgres-operator.js';
import { postgresProducer } from '../store/postgres-producer.js';

export interface QueueOptions extends CallBound {
  /**
   * Another client of the same database; one connection is enough. With it, single enqueues of different keys share
   * statements, too: where an open transaction has taken one of the keys, their statement gives up after 10 ms, and each
   * key is then written through `db` by itself.
   */
  readonly noWait?: Queryable;
}

/**
 * The queue in a database, through one client or transaction. The queue is unbounded, but the memory of the calling
 * process is not: through a client at most `maxWaiting` calls are on their way, and the next one is refused or waits.
 *
 * Through a client, calls of `enqueue` that arrive together share a statement and its commit: those without an
 * idempotency key, and those of one key. Each still waits for that commit. A client extension that reads its caller's
 * context (a tenant, a trace) would see only one caller's; pass such a client to the functions `enqueue` and
 * `enqueueMany` instead.
 *
 * A call whose signal aborts stops waiting. Once its run is in a statement that is on its way, the statement's answer
 * decides.
 *
 * `enqueue` and `enqueueMany` throw `queue_full` where they refuse. Throws `invalid_option` for an invalid bound.
 */
export function openQueue(db: Queryable, options: QueueOptions = {}): JobQueue {
  const store: QueueStore = {
    ...postgresProducer(db, options),
    ...postgresOperator(db),
    capabilities: POSTGRES_CAPABILITIES,
    kind: 'PostgreSQL',
  };
  return queueOver(store);
}
