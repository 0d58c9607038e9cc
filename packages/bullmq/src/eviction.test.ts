import { defineCatalog, defineJob } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { createBullmqStore } from './create-bullmq-store.js';
import { openBullmqQueue } from './open-bullmq-queue.js';
import { startRedis, type RedisServer } from './testing/start-redis.js';

const echo = defineJob({ type: 'echo', payload: z.object({ n: z.int() }) });
const catalog = defineCatalog([echo]);

let server: RedisServer;
let admin: Redis;
beforeAll(async () => {
  server = await startRedis({ 'maxmemory-policy': 'allkeys-lru', maxmemory: '64mb' });
  admin = server.connect();
});
afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

test.each(['allkeys-lru', 'volatile-ttl', 'allkeys-random'])(
  'a Redis that may throw jobs away (%s) takes none, and no worker starts on it',
  async (policy) => {
    await admin.config('SET', 'maxmemory-policy', policy);
    const connection = server.connect();
    const refused = { code: 'redis_may_evict', facts: { policy } };
    await expect(openBullmqQueue({ connection }).enqueue(echo, { n: 1 })).rejects.toMatchObject(refused);
    const starting = startTestWorker<typeof catalog>({} as never, {
      catalog,
      store: createBullmqStore({ connection }),
      handlers: { echo: () => {} },
    });
    await expect(starting).rejects.toMatchObject(refused);
    connection.disconnect();
  },
);

test('one that keeps all takes them, and is asked again on a new connection', async () => {
  await admin.config('SET', 'maxmemory-policy', 'noeviction');
  const connection = server.connect();
  const queue = openBullmqQueue({ connection });
  await queue.enqueue(echo, { n: 1 });
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await queue.enqueue(echo, { n: 2 });
  const closed = new Promise((resolve) => connection.once('close', resolve));
  connection.disconnect(true);
  await closed;
  await expect(queue.enqueue(echo, { n: 3 })).rejects.toMatchObject({ code: 'redis_may_evict' });
  connection.disconnect();
});

test('one that may not be asked is told of', async () => {
  await admin.config('SET', 'maxmemory-policy', 'noeviction');
  await admin.call('ACL', 'SETUSER', 'app', 'on', '>secret', '~*', '&*', '+@all', '-info');
  const connection = admin.duplicate({ username: 'app', password: 'secret', enableReadyCheck: false });
  const told = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
  await openBullmqQueue({ connection }).enqueue(echo, { n: 1 });
  expect(told).toHaveBeenCalledWith(expect.stringContaining('noeviction'), { code: 'DUEWORK_REDIS_POLICY' });
  told.mockRestore();
  connection.disconnect();
});
