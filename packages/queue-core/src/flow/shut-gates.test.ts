import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { parseDatabaseUrl } from '@duework/database';
import { afterEach, expect, test } from '@jest/globals';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { z } from 'zod';
import { enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { heartbeatInThread } from '../leases/heartbeat-in-thread.js';
import { rateLimited, type Worker } from '../index.js';

const call = defineJob({ type: 'call', payload: z.object({}), limits: [{ max: 100 }] });
const fragile = defineJob({
  type: 'fragile',
  payload: z.object({}),
  retry: fixed('1h'),
  breaker: { share: 0.5, of: 20, pause: '1h' },
});
const catalog = defineCatalog([call]);
const fragileCatalog = defineCatalog([fragile]);
const database = useTestDatabase();
const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

async function startWorker(handler: () => unknown): Promise<Worker> {
  const { worker } = await startTestWorker<typeof catalog>(database.connectPg(), {
    catalog,
    handlers: { call: handler as never },
    concurrency: 1,
    leases: heartbeatInThread({ ...parseDatabaseUrl(database.url), catalog }),
  });
  workers.push(worker);
  return worker;
}
const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 2));
};

test('what other workers have claimed ahead goes back before it starts, where a handler is told to come back later', async () => {
  let free = (): void => {};
  const held = new Promise<void>((resolve) => (free = resolve));
  let started = 0;
  const busy = await startWorker(async () => {
    started++;
    if (started > 50) await held;
  });
  await enqueueMany(
    database.db,
    Array.from({ length: 150 }, () => jobRequest(call, {})),
  );
  // it has claimed ahead, because its handlers were quick, and one of them does not end
  await until(() => started === 51 && busy.activity().buffered > 0);
  await startWorker(() => rateLimited({ retryAfter: '1h' }));
  await until(() => busy.activity().buffered === 0);
  free();
  await until(() => busy.activity().running === 0);
  expect(started).toBe(51);
});

test('a breaker that opens lets nothing start of what it had let in before', async () => {
  let started = 0;
  const { worker, events } = await startTestWorker<typeof fragileCatalog>(database.connectPg(), {
    catalog: fragileCatalog,
    handlers: {
      fragile: async () => {
        started++;
        // a provider takes its time to refuse: of quicker handlers, a slow machine begins 150 before the news has come
        await new Promise((resolve) => setTimeout(resolve, 20));
        throw new Error('the provider is away');
      },
    },
    concurrency: 5,
    leases: heartbeatInThread({ ...parseDatabaseUrl(database.url), catalog: fragileCatalog }),
  });
  workers.push(worker);
  await enqueueMany(
    database.db,
    Array.from({ length: 300 }, () => jobRequest(fragile, {})),
  );
  await events.waitFor('job.failed', 20);
  const isHeld = async (): Promise<boolean> => {
    const [row] = await database.db.$queryRaw<{ free: bigint }[]>`
      SELECT count(*) AS free FROM duework.job_runs WHERE job_type = 'fragile' AND held_by IS NULL`;
    return row!.free === 0n;
  };
  while (!(await isHeld())) await new Promise((resolve) => setTimeout(resolve, 20));
  // what was on its way when it opened was begun; a settlement, its answer and the news of it are three round trips
  expect(started).toBeLessThan(150);
});
