import { defineCatalog, defineJob } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { connectRedis } from './connect-redis.js';
import { createBullmqStore } from './create-bullmq-store.js';
import { openBullmqQueue } from './open-bullmq-queue.js';
import { parseRedisUrl } from './redis/parse-redis-url.js';
import { startRedis, type RedisServer } from './testing/start-redis.js';

const echo = defineJob({ type: 'echo', payload: z.object({ n: z.int() }) });
const catalog = defineCatalog([echo]);
const PASSWORD = 'p@ss:w/o%rd#?';

let server: RedisServer;
let admin: Redis;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  server = await startRedis({ databases: '8' });
  admin = server.connect();
  await admin.call('ACL', 'SETUSER', 'app', 'on', `>${PASSWORD}`, '~*', '&*', '+@all');
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await admin.flushall();
});
afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

const open = (url: string) => {
  const redis = connectRedis(url);
  ends.push(() => redis.close());
  return redis;
};
const keysIn = async (db: number): Promise<number> => {
  await admin.select(db);
  const keys = await admin.dbsize();
  await admin.select(0);
  return keys;
};

test.each([
  ['percent-encoded', encodeURIComponent(PASSWORD)],
  ['as it is but for its %', PASSWORD.replace('%', '%25')],
])('jobs go to the database that the URL names, with a password %s', async (_, password) => {
  const redis = open(`redis://app:${password}@127.0.0.1:${server.port}/5`);
  await redis.check();
  const { id } = await openBullmqQueue({ connection: redis.connection }).enqueue(echo, { n: 1 });
  expect(await keysIn(5)).toBeGreaterThan(0);
  expect(await keysIn(0)).toBe(0);
  const { worker, events } = await startTestWorker<typeof catalog>({} as never, {
    catalog,
    store: createBullmqStore({ connection: redis.connection }),
    handlers: { echo: () => {} },
  });
  ends.push(() => worker.stop({ deadlineMs: 0 }));
  expect(await events.waitFor('job.succeeded')).toMatchObject([{ run: { id } }]);
});

test('a database that is not there is refused, and nothing is written to another one', async () => {
  const redis = open(`redis://127.0.0.1:${server.port}/9`);
  const refused = { code: 'redis_refused', facts: { problem: 'it has no database 9' } };
  await expect(redis.check()).rejects.toMatchObject(refused);
  const { connection } = redis;
  await expect(openBullmqQueue({ connection }).enqueue(echo, { n: 1 })).rejects.toMatchObject(refused);
  const starting = startTestWorker<typeof catalog>({} as never, {
    catalog,
    store: createBullmqStore({ connection }),
    handlers: { echo: () => {} },
  });
  await expect(starting).rejects.toMatchObject(refused);
  expect(await keysIn(0)).toBe(0);
});

test.each([
  'redis://127.0.0.1:6379/five',
  'redis://127.0.0.1:6379/1/2',
  'redis://127.0.0.1:6379?db=x',
  'redis://h1:6379,h2:6379',
  'redis+cluster://:secret@127.0.0.1:6379/5',
  'redis://:sec%ret@127.0.0.1:6379',
  'redis://127.0.0.1:99999',
  '127.0.0.1:6379',
  'http://127.0.0.1:6379',
  '',
])('a URL that cannot be meant is refused, and not shown: %p', (url) => {
  const error = (() => {
    try {
      parseRedisUrl(url);
    } catch (thrown) {
      return thrown as Error;
    }
  })();
  expect(error).toMatchObject({ code: 'invalid_option' });
  expect(error!.message).not.toMatch(/secret|sec%/);
});

test('other parts of a URL are read as ever', () => {
  expect(parseRedisUrl('rediss://user@[::1]/3?family=6')).toEqual({
    isCluster: false,
    hosts: [{ host: '::1', port: 6379 }],
    options: { username: 'user', tls: {}, db: 3, family: 6 },
  });
  expect(parseRedisUrl('rediss+cluster://:a%40b@one:1,two/')).toEqual({
    isCluster: true,
    hosts: [
      { host: 'one', port: 1 },
      { host: 'two', port: 6379 },
    ],
    options: { password: 'a@b', tls: {} },
  });
});

test('a replica takes no job and starts no worker, and both go on where it has become a primary again', async () => {
  const primary = await startRedis();
  ends.push(() => primary.stop());
  const redis = open(`redis://127.0.0.1:${server.port}`);
  const { connection } = redis;
  const queue = openBullmqQueue({ connection });
  const { worker, events } = await startTestWorker<typeof catalog>({} as never, {
    catalog,
    store: createBullmqStore({ connection: open(`redis://127.0.0.1:${server.port}`).connection }),
    handlers: { echo: () => {} },
    pollIntervalMs: 20,
  });
  ends.push(() => worker.stop({ deadlineMs: 0 }));
  await queue.enqueue(echo, { n: 1 });
  await events.waitFor('job.succeeded');
  await admin.replicaof('127.0.0.1', primary.port);
  const refused = { code: 'redis_away', message: expect.stringContaining('READONLY') };
  // the connection it had, and a new one
  await expect(queue.enqueue(echo, { n: 2 })).rejects.toMatchObject(refused);
  await expect(queue.enqueue(echo, { n: 3 })).rejects.toMatchObject(refused);
  await expect(redis.check()).rejects.toMatchObject(refused);
  await events.waitFor('database.failed');
  await admin.replicaof('NO', 'ONE');
  const { id } = await queue.enqueue(echo, { n: 4 });
  await events.waitFor('job.succeeded', 2);
  expect(events.named('job.succeeded').at(-1)).toMatchObject({ run: { id } });
});
