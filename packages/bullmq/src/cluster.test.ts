import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestWorker } from '@duework/testing';
import { echo, testCatalog } from '@duework/testing/fixtures';
import { connectRedis, createBullmqStore, openBullmqQueue } from './index.js';
import { startRedisCluster, type RedisCluster } from './testing/start-redis-cluster.js';

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startRedisCluster();
});
afterAll(() => cluster?.stop());

test('a worker on a cluster is woken by an enqueue through another connection', async () => {
  const [ofWorker, ofProducer] = [cluster.connect(), cluster.connect()];
  const { worker, events } = await startTestWorker<typeof testCatalog>(
    { store: createBullmqStore({ connection: ofWorker }) },
    { catalog: testCatalog, handlers: { echo: () => {}, charge: () => {} } },
  );
  const queue = openBullmqQueue({ connection: ofProducer });
  for (let n = 1; n <= 3; n++) {
    await queue.enqueue(echo, { n });
    await events.waitFor('job.succeeded', n);
  }
  await worker.stop({ deadlineMs: 0 });
  for (const client of [ofWorker, ofProducer]) client.disconnect();
});

test('a url names some members of a cluster, and all of it is used', async () => {
  const [first, second] = cluster.ports;
  const redis = connectRedis(`redis+cluster://127.0.0.1:${first},127.0.0.1:${second}`);
  await redis.check();
  const queue = openBullmqQueue({ connection: redis.connection });
  const { id } = await queue.enqueue(echo, { n: 1 });
  expect((await queue.getJob(id)).job).toMatchObject({ id, status: 'queued' });
  redis.close();
});

test('a cluster of which no member answers is told as away', async () => {
  const redis = connectRedis('redis+cluster://127.0.0.1:1,127.0.0.1:2');
  await expect(redis.check()).rejects.toMatchObject({ code: 'redis_away' });
  redis.close();
});

test.each(['duework', '{due}{work}', '{}', 'a:{b}'])(
  'a prefix that would spread over the cluster is refused: %s',
  (prefix) => {
    const connection = cluster.connect();
    try {
      expect(() => openBullmqQueue({ connection, prefix })).toThrow(/prefix/);
    } finally {
      connection.disconnect();
    }
  },
);
