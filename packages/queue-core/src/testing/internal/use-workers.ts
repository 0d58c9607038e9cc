import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { afterEach, beforeEach } from '@jest/globals';
import { z } from 'zod';
import type { Worker, WorkerOptions } from '../../create-worker.js';
import type { Handler } from '../../handler.js';
import type { EventRecord } from '../record-events.js';
import { startTestWorker } from '../start-test-worker.js';
import { useTestDatabase } from './use-test-database.js';

export const work = defineJob({
  type: 'work',
  payload: z.object({ n: z.int() }),
  retry: fixed('1ms'),
  maxAttempts: 3,
  lease: '2s',
  timeout: '10s',
});
export const brief = defineJob({
  type: 'brief',
  payload: z.object({}),
  retry: fixed('1h'),
  timeout: '20ms',
  lease: '2s',
});
const catalog = defineCatalog([work, brief]);

/** A database of its own without runs before each test, and workers on it that are stopped after each. */
export function useWorkers() {
  const database = useTestDatabase();
  const workers: Worker[] = [];
  beforeEach(async () => {
    await database.db.$executeRaw`TRUNCATE duework.job_runs`;
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
  });

  async function start(
    handler: Handler<typeof work>,
    more: Partial<WorkerOptions<typeof catalog>> = {},
  ): Promise<{ worker: Worker; events: EventRecord }> {
    const started = await startTestWorker<typeof catalog>(database.db, {
      catalog,
      handlers: { work: handler, brief: () => {} },
      ...more,
    });
    workers.push(started.worker);
    return started;
  }
  return { database, start };
}
