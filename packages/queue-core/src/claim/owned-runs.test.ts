import { expect, test } from '@jest/globals';
import { enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import type { Handler } from '../run/handler.js';
import { useWorkers, work } from '@duework/testing/fixtures';

const { database, start } = useWorkers();

test('a worker never runs more handlers at once than it has slots', async () => {
  let running = 0;
  let most = 0;
  const { events } = await start(
    async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    },
    { concurrency: 3, buffer: 5 },
  );
  await enqueueMany(
    database.db,
    Array.from({ length: 100 }, (_, n) => jobRequest(work, { n })),
  );
  await events.waitFor('job.succeeded', 100);
  expect(most).toBe(3);
});

test('a handler that throws before its first await does not affect other runs', async () => {
  const { events } = await start((({ payload }: { payload: { n: number } }) => {
    if (payload.n === 1) throw new Error('at once');
  }) as Handler<typeof work>);
  await enqueueMany(database.db, [jobRequest(work, { n: 1 }, { maxAttempts: 1 }), jobRequest(work, { n: 2 })]);
  await Promise.all([events.waitFor('job.dead'), events.waitFor('job.succeeded')]);
});
