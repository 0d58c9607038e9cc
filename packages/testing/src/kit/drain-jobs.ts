import type { Catalog } from '@duework/contracts';
import { combineMiddleware, type Handlers, type Middleware, type Queryable } from '@duework/queue-core';
import type { FakeClock } from '../create-fake-clock.js';
import { drain as drainQueue, type DrainCounts } from '../drain.js';
import { startTestWorker } from '../start-test-worker.js';
import { isInMemory, toQueue, type InMemory, type ObservedQueue } from '../to-queue.js';
import { keepTransactionAlive } from './keep-transaction-alive.js';
import { oneAtATime } from './one-at-a-time.js';
import { oneByOne } from './one-by-one.js';
import { transactionStore } from './transaction-store.js';
import { readTransactionId } from '@duework/sql';

export interface DrainJobsOptions<TCatalog extends Catalog> {
  /** Jobs of other types are left alone. */
  readonly catalog: TCatalog;
  readonly handlers: Handlers<TCatalog>;
  readonly middleware?: Middleware;
  /** Also runs jobs that are not due yet: retries, snoozes, delayed ones. */
  readonly untilEmpty?: boolean;
  /** How many handlers run at once; default 10. In a transaction they run one after the other. */
  readonly concurrency?: number;
  /** The fake clock of a queue in memory; `untilEmpty` moves it on. */
  readonly clock?: FakeClock;
  /** Real time; default 10 s. */
  readonly timeoutMs?: number;
}

/**
 * Runs every due job of the catalog in a real worker, until none is left, and returns how the attempts ended. Jobs that
 * handlers enqueue run as well.
 *
 * `source` may be a queue in memory, or a transaction, which the test rolls back: claims, settlements and effects are
 * then statements of it, one after the other, and nothing is committed. Handlers must use the same transaction, because
 * no other connection sees its writes.
 *
 * Contracts with `collect` gather runs as in a worker; in a transaction each call gets one.
 *
 * Throws, with the jobs left, if it takes longer than `timeoutMs`.
 */
export async function drain<TCatalog extends Catalog>(
  source: Queryable | (InMemory & ObservedQueue),
  { untilEmpty = false, timeoutMs = 10_000, ...options }: DrainJobsOptions<TCatalog>,
): Promise<DrainCounts> {
  const { catalog, clock } = options;
  const inTransaction = !isInMemory(source) && (await isTransaction(source));
  const worked = inTransaction ? oneByOne(source) : source;
  const { worker, events } = await startTestWorker<TCatalog>(worked, {
    ...options,
    ...(inTransaction ? inTransactionOnly(worked as Queryable, options) : {}),
  });
  try {
    const times = { untilEmpty, timeoutMs, ...(clock === undefined ? {} : { clock }) };
    const behind = isInMemory(worked) ? {} : { db: worked as Queryable };
    return await drainQueue(onlyTypes(toQueue(worked), catalog), { events, ...times, ...behind });
  } finally {
    await worker.stop({ deadlineMs: 0 });
  }
}

/** One handler after the other, each at a savepoint of its own, and each call with one run. */
function inTransactionOnly<TCatalog extends Catalog>(
  tx: Queryable,
  { catalog, middleware }: Pick<DrainJobsOptions<TCatalog>, 'catalog' | 'middleware'>,
) {
  const alive = keepTransactionAlive(tx);
  return {
    catalog: catalog.map(oneAtATime) as Catalog as TCatalog,
    concurrency: 1,
    buffer: 0,
    store: transactionStore(tx),
    middleware: middleware === undefined ? alive : combineMiddleware(alive, middleware),
  };
}

/** A queue as one sees it who knows no other types. */
function onlyTypes(queue: ObservedQueue, catalog: Catalog): ObservedQueue {
  const types = new Set(catalog.map(({ type }) => type));
  return {
    ...queue,
    queueDepth: async () => (await queue.queueDepth()).filter(({ type }) => types.has(type)),
    async findJobs(listing) {
      const page = await queue.findJobs(listing);
      return { ...page, jobs: page.jobs.filter(({ type }) => types.has(type)) };
    },
  };
}

/** Whether two statements share a transaction: asked of the database, because clients tell it in ways of their own. */
async function isTransaction(db: Queryable): Promise<boolean> {
  return (await readTransactionId(db)) === (await readTransactionId(db));
}
