import { type Catalog, defineCatalog, defineJob, fixed } from '@duework/contracts';
import type { Handler, Handlers, Worker, WorkerOptions } from '@duework/queue-core';
import { type EventRecord, startTestWorker } from '@duework/testing';
import { emptyTables, type TestDatabaseHandle, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach } from '@jest/globals';
import { z } from 'zod';
import { type HandlerTraceOptions, traceHandlers } from '../trace-handlers.js';

export const receipt = defineJob({
  type: 'send_receipt',
  version: 2,
  queue: 'mail',
  payload: z.object({ orderId: z.int() }),
  idempotencyKey: ({ orderId }) => `receipt:${orderId}`,
  past: { 1: { payload: z.object({}), lift: () => ({ orderId: 0 }) } },
});
export const pay = defineJob({
  type: 'pay',
  payload: z.object({ orderId: z.int(), iban: z.string(), email: z.string() }),
  sensitive: ['/iban'],
  retry: fixed('1ms'),
  maxAttempts: 3,
  timeout: '10s',
});
export const brief = defineJob({ type: 'brief', payload: z.object({}), timeout: '20ms', retry: fixed('1h') });
export const order = defineJob({ type: 'order', payload: z.object({}), durable: true });
export const catalog = defineCatalog([receipt, pay, brief, order]);

interface Given {
  readonly handlers?: { [T in keyof Handlers<typeof catalog>]?: Handler<never> };
  readonly options?: HandlerTraceOptions;
  /** What the middleware knows of; default: the worker's catalog. */
  readonly traced?: Catalog;
  readonly more?: Partial<WorkerOptions<typeof catalog>>;
}

/** A database, and workers on it whose attempts are traced; call it at the top of a file. */
export function useTracedWorkers(): {
  readonly database: TestDatabaseHandle;
  start(given?: Given): Promise<{ worker: Worker; events: EventRecord }>;
} {
  const database = useTestDatabase();
  const workers: Worker[] = [];
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
    await emptyTables(database.db, 'job_runs, job_keys');
  });
  return {
    database,
    async start({ handlers = {}, options = {}, traced = catalog, more = {} } = {}) {
      const started = await startTestWorker<typeof catalog>(database.db, {
        catalog,
        handlers: { send_receipt: () => {}, pay: () => {}, brief: () => {}, order: () => {}, ...handlers } as Handlers<
          typeof catalog
        >,
        middleware: traceHandlers(traced, options),
        ...more,
      });
      workers.push(started.worker);
      return started;
    },
  };
}
