import { enqueue, openQueue, type Worker } from '@duework/queue-core';
import { carryForwards, forward, forwardJob, originOf } from '@duework/shards';
import { startTestWorker } from '@duework/testing';
import { echo, startCuttableProxy, untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { bullmqTarget } from './bullmq-target.js';
import { useRedis } from './testing/use-redis.js';

const database = useTestDatabase();
const redis = useRedis();

/** While `act` runs, a worker carries forwards through that client, and runs what is in the table. */
async function whileCarried(client: Redis, act: () => Promise<void>): Promise<void> {
  const target = bullmqTarget({ connection: client });
  const workers: Worker[] = [];
  const handlers = {
    duework_forward: carryForwards(await originOf(database.db), { dedicated: target }),
    echo: async () => {},
  };
  try {
    workers.push(
      (await startTestWorker(database.db, { catalog: [forwardJob, echo], handlers, concurrency: 4 })).worker,
    );
    await act();
  } finally {
    await Promise.all(workers.map((worker) => worker.stop({ deadlineMs: 0 })));
    target.close();
  }
}

test('forwards wait for a Redis that is down, are counted and say why, and all else of the worker goes on', async () => {
  await whileCarried(redis.redis, async () => {
    const before = await forward(database.db, 'dedicated', echo, { n: 0 });
    await untilJob(database.db, before.id, { status: 'succeeded' });
    await redis.server.kill();
    const away = await Promise.all(
      Array.from({ length: 50 }, (_, n) => forward(database.db, 'dedicated', echo, { n: n + 1 })),
    );
    for (const { id } of away) {
      const job = await untilJob(database.db, id, { status: 'failed' });
      expect(job.errorCode).toBe('redis_away');
    }
    const here = await enqueue(database.db, echo, { n: 99 });
    await untilJob(database.db, here.id, { status: 'succeeded' });
    const depth = await openQueue(database.db).queueDepth();
    const [counted] = depth.filter(({ queue }) => queue === forwardJob.queue);
    expect(counted!.due + counted!.retrying + counted!.scheduled + counted!.running).toBe(50);
    await redis.server.start();
    for (const { id } of away) await untilJob(database.db, id, { status: 'succeeded' });
  });
  const jobs = await redis.queue('default').getJobs(['wait', 'prioritized', 'delayed']);
  expect(jobs.map(({ data }) => (data as { n: number }).n).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 51 }, (_, n) => n),
  );
});

test('forwards wait for a Redis whose cable is cut, of which nothing is heard, and are carried once it is mended', async () => {
  await redis.redis.flushall();
  const proxy = await startCuttableProxy(`redis://127.0.0.1:${redis.server.port}`);
  const client = new Redis(proxy.url, { maxRetriesPerRequest: null });
  client.on('error', () => {});
  try {
    await whileCarried(client, async () => {
      const before = await forward(database.db, 'dedicated', echo, { n: 0 });
      await untilJob(database.db, before.id, { status: 'succeeded' });
      proxy.cut();
      const { id } = await forward(database.db, 'dedicated', echo, { n: 1 });
      await untilJob(database.db, id, { status: 'running' });
      const here = await enqueue(database.db, echo, { n: 99 });
      await untilJob(database.db, here.id, { status: 'succeeded' });
      // while the forward still waits for an answer
      expect((await openQueue(database.db).getJob(id)).job.status).toBe('running');
      const job = await untilJob(database.db, id, { status: 'failed' });
      expect(job).toMatchObject({ errorCode: 'redis_away' });
      proxy.mend();
      await untilJob(database.db, id, { status: 'succeeded' });
    });
  } finally {
    client.disconnect();
    proxy.stop();
  }
  expect(await redis.queue('default').getJobs(['wait', 'prioritized', 'delayed'])).toHaveLength(2);
});

test('a worker that starts while Redis is down carries as soon as that is there', async () => {
  await redis.redis.flushall();
  await redis.server.kill();
  const client = redis.server.connect();
  client.on('error', () => {});
  try {
    await whileCarried(client, async () => {
      const { id } = await forward(database.db, 'dedicated', echo, { n: 1 });
      const { errorCode } = await untilJob(database.db, id, { status: 'failed' });
      expect(errorCode).toBe('redis_away');
      await redis.server.start();
      await untilJob(database.db, id, { status: 'succeeded' });
    });
  } finally {
    client.disconnect();
  }
  expect(await redis.queue('default').getJobs(['wait', 'prioritized', 'delayed'])).toHaveLength(1);
});
