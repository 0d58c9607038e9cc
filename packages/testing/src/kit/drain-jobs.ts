import type { Catalog } from '@duework/contracts';
import { combineMiddleware, type Handlers, type Middleware, type Queryable, openQueue } from '@duework/queue-core';
import { drain as drainQueue, type DrainCounts } from '../drain.js';
import { startTestWorker } from '../start-test-worker.js';
import type { ObservedQueue } from '../to-queue.js';
import { isTransaction } from './is-transaction.js';
import { keepTransactionAlive } from './keep-transaction-alive.js';
import { oneByOne } from './one-by-one.js';
import { transactionStore } from './transaction-store.js';

export interface DrainJobsOptions<TCatalog extends Catalog> {
  /** Jobs of other types are left alone. */
  readonly catalog: TCatalog;
  readonly handlers: Handlers<TCatalog>;
  readonly middleware?: Middleware;
  /** Also runs what is not due yet: retries, snoozes, and what was enqueued for later. */
  readonly untilEmpty?: boolean;
  /** How many handlers run at once; default 10. In a transaction they run one after the other. */
  readonly concurrency?: number;
  /** Real time; default 10 s. */
  readonly timeoutMs?: number;
}

/**
 * Runs every due job of the catalog in a real worker, until none is left, and returns how the attempts ended. Jobs that
 * handlers enqueue are run, too.
 *
 * `db` may be a transaction, which the test rolls back: claims, settlements and effects are then statements of it, one
 * after the other, and nothing is committed. Handlers have to use the same transaction, because no other connection
 * sees what it has written.
 *
 * Throws, with what is left, when it takes longer than `timeoutMs`.
 */
export async function drain<TCatalog extends Catalog>(
  db: Queryable,
  {
    catalog,
    handlers,
    middleware,
    untilEmpty = false,
    concurrency = 10,
    timeoutMs = 10_000,
  }: DrainJobsOptions<TCatalog>,
): Promise<DrainCounts> {
  const inTransaction = await isTransaction(db);
  const statements = inTransaction ? oneByOne(db) : db;
  const alive = inTransaction ? keepTransactionAlive(statements) : undefined;
  const around = alive && middleware ? combineMiddleware(alive, middleware) : (alive ?? middleware);
  const { worker, events } = await startTestWorker<TCatalog>(statements, {
    catalog,
    handlers,
    concurrency: inTransaction ? 1 : concurrency,
    ...(inTransaction ? { store: transactionStore(statements), buffer: 0 } : {}),
    ...(around === undefined ? {} : { middleware: around }),
  });
  try {
    return await drainQueue(onlyTypes(openQueue(statements), catalog), { events, untilEmpty, timeoutMs });
  } finally {
    await worker.stop({ deadlineMs: 0 });
  }
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
