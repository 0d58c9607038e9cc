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
   * statements: if an open transaction has taken a key, their statement gives up after 10 ms, and each key is written
   * through `db` alone.
   */
  readonly noWait?: Queryable;
}

/**
 * The queue in a database, through one client or transaction. Through a client at most `maxWaiting` calls are pending;
 * the next one is refused or waits.
 *
 * Through a client, calls of `enqueue` that arrive together share a statement and its commit: those without an
 * idempotency key, and those of one key. Each still waits for that commit. A client extension would see only one
 * caller's context (a tenant, a trace); pass such a client to the functions `enqueue` and `enqueueMany`.
 *
 * A call whose signal aborts stops waiting, unless its statement was sent: then that decides.
 *
 * `enqueue` and `enqueueMany` throw `queue_full`. Throws `invalid_option` for an invalid bound.
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
