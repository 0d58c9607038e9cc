import { openBullmqQueue } from '@duework/bullmq';
import { openDedicated } from '@duework/bullmq/outbox';
import { startRedis, type RedisServer } from '@duework/bullmq/testing';
import { defineCatalog, defineJob } from '@duework/contracts';
import { complete, enqueue, type Json } from '@duework/queue-core';
import { untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { runWorker } from './run-worker.js';
import type { RunWorkerOptions, StartedWorker } from './run-worker-options.js';

const database = useTestDatabase();
const payload = z.object({ name: z.string() });
const greet = defineJob({ type: 'greet', payload });
const careful = defineJob({ type: 'careful', payload, limits: [{ max: 1 }] });
const catalog = defineCatalog([greet, careful]);

let server: RedisServer;
let connection: Redis;
const stops: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  server = await startRedis();
  connection = server.connect();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  connection.disconnect();
  await server.stop();
});

const urlOf = (port: number): string => `redis://127.0.0.1:${port}`;
const answerOf = ({ run, payload: { name } }: { run: { id: string }; payload: { name: string } }) =>
  complete(`${run.id} ${name}` as Json);
const READY = { status: 'ready' };

/** A worker in this process, and what it logs. */
async function start(options: Partial<RunWorkerOptions<typeof catalog>>) {
  const lines: Record<string, unknown>[] = [];
  const write = (facts: object, message?: string): void => void lines.push({ ...facts, message });
  const stopping = new AbortController();
  let tell: (worker: StartedWorker) => void = () => {};
  const running = new Promise<StartedWorker>((resolve) => (tell = resolve));
  const ended = runWorker({
    catalog,
    handlers: { greet: answerOf, careful: answerOf },
    workerName: 'both',
    workerPort: 0,
    pollIntervalMs: 20,
    log: { debug: write, info: write, warn: write, error: write },
    handleSignals: false,
    signal: stopping.signal,
    onStarted: tell,
    ...options,
  });
  const worker = await Promise.race([running, ended.then(() => Promise.reject(new Error('it has ended')))]);
  const stop = async (): Promise<number> => {
    stopping.abort();
    return ended;
  };
  stops.push(stop);
  return { lines, stop, ask: (path: string) => fetch(`http://127.0.0.1:${worker.port}${path}`) };
}

test('one worker serves the table and the dedicated queue, and carries from one to the other', async () => {
  const worker = await start({
    databaseUrl: database.url,
    dueworkRedisUrl: urlOf(server.port),
    dueworkRedisPrefix: 'beside',
  });
  const dedicated = openBullmqQueue({ connection, prefix: 'beside' });
  const queue = openDedicated({ db: database.db, dedicated, types: ['greet'] });
  const there = await dedicated.enqueue(greet, { name: 'there' });
  expect(await untilJob(dedicated, there.id)).toMatchObject({
    result: `${there.id} there`,
    worker: expect.stringMatching(/^both-[0-9a-f]{4}\/dedicated$/),
  });
  const here = await enqueue(database.db, careful, { name: 'here' });
  expect(await untilJob(database.db, here.id)).toMatchObject({
    result: `${here.id} here`,
    worker: expect.stringMatching(/^both-[0-9a-f]{4}\/table$/),
  });
  const sent = await queue.enqueue(greet, { name: 'carried' }, { idempotencyKey: 'carried' });
  const { id } = (await untilJob(database.db, sent.id)).result as { id: string };
  expect(await untilJob(dedicated, id)).toMatchObject({ result: `${id} carried` });

  const ready = await worker.ask('/readyz');
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: 'ready', engines: { table: READY, dedicated: READY } },
  ]);
  const metrics = await (await worker.ask('/metrics')).text();
  expect(metrics).toContain('duework_engine_up{engine="dedicated"} 1');
  expect(metrics).toContain('duework_redis_up{engine="dedicated"} 1');
  expect(metrics).toContain('duework_database_up{engine="table"} 1');
  expect(metrics).toContain('duework_jobs_finished_total{type="greet",result="succeeded",engine="dedicated"} 2');
  expect(metrics.match(/^# TYPE duework_queue_jobs .*$/gm)).toHaveLength(1);
  expect(await worker.stop()).toBe(0);
  expect(worker.lines).toContainEqual(expect.objectContaining({ message: 'job.succeeded', id, engine: 'dedicated' }));
});

test('a worker of the dedicated queue alone needs no database', async () => {
  const only = defineCatalog([greet]);
  const worker = await start({
    ...({ catalog: only, handlers: { greet: answerOf } } as object),
    dueworkRedisUrl: urlOf(server.port),
    dueworkRedisPrefix: 'alone',
  });
  const dedicated = openBullmqQueue({ connection, prefix: 'alone' });
  const { id } = await dedicated.enqueue(greet, { name: 'ana' });
  expect(await untilJob(dedicated, id)).toMatchObject({ status: 'succeeded' });
  expect(await (await worker.ask('/readyz')).json()).toEqual({ status: 'ready', engines: { dedicated: READY } });
  expect(await worker.stop()).toBe(0);
});

test('with once it runs what is due in the dedicated queue, and ends', async () => {
  const dedicated = openBullmqQueue({ connection, prefix: 'once' });
  const { id } = await dedicated.enqueue(greet, { name: 'ana' });
  const code = await runWorker({
    catalog: defineCatalog([greet]),
    handlers: { greet: answerOf },
    dueworkRedisUrl: urlOf(server.port),
    dueworkRedisPrefix: 'once',
    once: true,
    handleSignals: false,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  expect(code).toBe(0);
  expect((await dedicated.getJob(id)).job.status).toBe('succeeded');
});

test('a Redis that is away is served once it answers, and holds up nobody until then', async () => {
  const other = await startRedis();
  await other.kill();
  try {
    const worker = await start({ databaseUrl: database.url, dueworkRedisUrl: urlOf(other.port) });
    const { id } = await enqueue(database.db, greet, { name: 'ana' });
    await untilJob(database.db, id, { status: 'succeeded' });
    const ready = await worker.ask('/readyz');
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'degraded', engines: { table: READY, dedicated: { status: 'redis_away' } } },
    ]);
    expect(await (await worker.ask('/metrics')).text()).toContain('duework_engine_up{engine="dedicated"} 0');
    expect(worker.lines).toContainEqual(expect.objectContaining({ message: 'engine.away', engine: 'dedicated' }));
    await other.start();
    const client = other.connect();
    const dedicated = openBullmqQueue({ connection: client });
    const sent = await dedicated.enqueue(greet, { name: 'there' });
    await untilJob(dedicated, sent.id, { status: 'succeeded' });
    client.disconnect();
    expect(await worker.stop()).toBe(0);
  } finally {
    await other.stop();
  }
});

test.each<[string, () => Partial<RunWorkerOptions<typeof catalog>>, RegExp]>([
  ['what the dedicated queue alone cannot keep', () => ({ dueworkRedisUrl: urlOf(server.port) }), /flow control/],
  [
    'schedules without a database',
    () => ({ dueworkRedisUrl: urlOf(server.port), schedules: [] }),
    /schedules are kept in PostgreSQL/,
  ],
  [
    'a Redis that does not answer, alone',
    () => ({ dueworkRedisUrl: urlOf(1), databaseWaitMs: 0, catalog: defineCatalog([greet]) as never }),
    /Redis/,
  ],
])('a worker does not start on %s', async (_, options, message) => {
  await expect(start(options())).rejects.toThrow(message);
});
