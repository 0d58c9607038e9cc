import { expect, test } from '@jest/globals';
import { enqueue, getJob } from '@duework/queue-core';
import { act, plain, useIsolatedWorker } from './testing/use-isolated-worker.js';

const { database, start } = useIsolatedWorker();

test.each(['objects', 'numbers', 'buffers', 'buffersSlowly'])(
  'memory beyond the limit ends the attempt and not the worker: %s',
  async (name) => {
    const { events } = await start();
    const { id } = await enqueue(database.db, act, { act: name });
    await events.waitFor('job.dead');
    const { job, attempts } = await getJob(database.db, id);
    expect(job).toMatchObject({
      status: 'dead',
      attempts: 2,
      errorCode: 'memory_limit_exceeded',
      errorType: 'IsolationError',
      lastError: expect.stringContaining('64 MiB'),
    });
    expect(attempts).toMatchObject([
      { outcome: 'failed', abortCode: null },
      { outcome: 'failed', abortCode: null },
    ]);
    const next = await enqueue(database.db, plain, {});
    await events.waitFor('job.succeeded');
    expect((await getJob(database.db, next.id)).job.status).toBe('succeeded');
  },
);

test('memory that a handler has freed does not count against its attempt', async () => {
  const { events } = await start();
  await enqueue(database.db, act, { act: 'stream' }, { maxAttempts: 1 });
  await Promise.race([events.waitFor('job.succeeded'), events.waitFor('job.dead')]);
  expect(events.named('job.dead')).toEqual([]);
});
