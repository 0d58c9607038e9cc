import { afterEach, expect, test } from '@jest/globals';
import { startTestWorker } from '@duework/testing';
import { echo, testCatalog, untilJob } from '@duework/testing/fixtures';
import type { Redis } from 'ioredis';
import { createBullmqStore, openBullmqQueue } from './index.js';
import { startRedis, type RedisServer } from './testing/start-redis.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(
  settings: Readonly<Record<string, string>>,
): Promise<{ server: RedisServer; connect: () => Redis }> {
  const server = await startRedis(settings);
  ends.push(() => server.stop());
  return {
    server,
    connect: () => {
      const client = server.connect();
      client.on('error', () => {});
      ends.push(() => client.disconnect());
      return client;
    },
  };
}

test.each(['always', 'everysec'])(
  'a Redis that is killed with appendfsync %s has all that it had acknowledged, and workers go on when it is back',
  async (appendfsync) => {
    const { server, connect } = await start({ appendfsync });
    const queue = openBullmqQueue({ connection: connect() });
    const { worker, events } = await startTestWorker<typeof testCatalog>(
      { store: createBullmqStore({ connection: connect() }) },
      {
        catalog: testCatalog,
        handlers: { echo: () => {}, charge: () => {} },
        maintenance: { rescueIntervalMs: 50 },
        pollIntervalMs: 20,
      },
    );
    ends.push(() => worker.stop({ deadlineMs: 0 }));
    const acknowledged: string[] = [];
    const over = new AbortController();
    const enqueueing = Array.from({ length: 10 }, async (_, at) => {
      for (let n = at; !over.signal.aborted; n += 10) acknowledged.push((await queue.enqueue(echo, { n })).id);
    });
    await events.waitFor('job.succeeded', 200);
    await server.kill();
    const before = acknowledged.length;
    await server.start();
    await events.waitFor('job.succeeded', events.named('job.succeeded').length + 200);
    over.abort();
    await Promise.all(enqueueing);
    expect(acknowledged.length).toBeGreaterThan(before);
    for (const id of acknowledged) await untilJob(queue, id, { status: 'succeeded' });
  },
);

test('a Redis without an append-only file has forgotten what it had acknowledged when it is killed', async () => {
  const { server, connect } = await start({ appendonly: 'no' });
  const queue = openBullmqQueue({ connection: connect() });
  const { id } = await queue.enqueue(echo, { n: 1 });
  await server.kill();
  await server.start();
  await expect(queue.getJob(id)).rejects.toMatchObject({ code: 'job_not_found' });
});
