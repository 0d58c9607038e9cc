import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { defineCatalog, defineJob } from '@duework/contracts';
import { openGate } from '@duework/database/testing';
import { complete, type Json } from '@duework/queue-core';
import { forward, foundShard, openShards } from '@duework/shards';
import { untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { runWorker } from './run-worker.js';
import type { RunWorkerOptions, StartedWorker } from './run-worker-options.js';
import { createFact } from './testing/create-fact.js';

const [a, b] = [useTestDatabase(), useTestDatabase()];
const greet = defineJob({ type: 'greet', payload: z.object({ name: z.string() }) });
const catalog = defineCatalog([greet]);
const NOWHERE = 'postgres://duework@127.0.0.1:1/nowhere';
interface Line {
  readonly id?: string;
  readonly shard?: string;
  readonly problem?: string;
}

beforeAll(async () => {
  await foundShard(a.db, 'a');
  await foundShard(b.db, 'b');
});

/** A worker in this process, and what it logs. */
async function start(options: Partial<RunWorkerOptions<typeof catalog>>) {
  const lines: (Line & { readonly message: string | undefined })[] = [];
  const write = (facts: object, message?: string): void => void lines.push({ ...facts, message });
  const stopping = new AbortController();
  let tell: (worker: StartedWorker) => void = () => {};
  const running = new Promise<StartedWorker>((resolve) => (tell = resolve));
  const ended = runWorker({
    catalog,
    handlers: { greet: ({ run, payload }) => complete(`${run.id} ${payload.name}` as Json) },
    workerName: 'over',
    workerPort: 0,
    pollIntervalMs: 20,
    log: { debug: write, info: write, warn: write, error: write },
    handleSignals: false,
    signal: stopping.signal,
    onStarted: tell,
    ...options,
  });
  const worker = await Promise.race([running, ended.then(() => Promise.reject(new Error('it has ended')))]);
  return {
    lines,
    ask: (path: string) => fetch(`http://127.0.0.1:${worker.port}${path}`),
    async stop(): Promise<number> {
      stopping.abort();
      return ended;
    },
  };
}

const named = (shard: string): unknown => expect.stringMatching(new RegExp(`^over-[0-9a-f]{4}/${shard}$`));

test('one worker serves all shards, and carries from one to the other', async () => {
  const worker = await start({ shards: { a: a.url, b: b.url } });
  const shards = openShards({ shards: { a: a.db, b: b.db } });
  const sent = await forward(shards.in('a'), 'b', greet, { name: 'there' });
  const here = await shards.in('a').enqueue(greet, { name: 'here' });
  expect(await untilJob(shards, here.id)).toMatchObject({ result: `${here.id} here`, worker: named('a') });
  const { id } = (await untilJob(shards, sent.id)).result as { id: string };
  expect(await untilJob(shards, id)).toMatchObject({ result: `${id} there`, worker: named('b') });
  const ready = await worker.ask('/readyz');
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', shards: { a: READY, b: READY } }]);
  const metrics = await (await worker.ask('/metrics')).text();
  expect(metrics.match(/^# TYPE duework_jobs_finished_total .*$/gm)).toHaveLength(1);
  expect(metrics).toContain('duework_jobs_finished_total{type="greet",result="succeeded",shard="b"} 1');
  expect(metrics).toContain('duework_shard_up{shard="a"} 1');
  expect(await worker.stop()).toBe(0);
  expect(worker.lines).toContainEqual(expect.objectContaining({ message: 'job.succeeded', id, shard: 'b' }));
});
const READY = { status: 'ready' };

test('a shard that is away is served once it answers, and holds up nobody until then', async () => {
  const gate = await openGate(b.url);
  const worker = await start({ shards: { a: a.url, b: gate.url } });
  const shards = openShards({ shards: { a: a.db, b: b.db } });
  try {
    const one = await shards.in('a').enqueue(greet, { name: 'a' });
    await untilJob(shards, one.id, { status: 'succeeded' });
    const ready = await worker.ask('/readyz');
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'degraded', shards: { a: READY, b: { status: 'database_away' } } },
    ]);
    expect(await (await worker.ask('/metrics')).text()).toContain('duework_shard_up{shard="b"} 0');
    expect(worker.lines).toContainEqual(expect.objectContaining({ message: 'shard.away', shard: 'b' }));
    await gate.open();
    const two = await shards.in('b').enqueue(greet, { name: 'b' });
    await untilJob(shards, two.id, { status: 'succeeded' });
  } finally {
    expect(await worker.stop()).toBe(0);
    gate.close();
  }
});

test('a worker waits where no shard is there yet, and a stop ends that at once', async () => {
  const gate = await openGate(a.url);
  const messages: (string | undefined)[] = [];
  const stopping = new AbortController();
  let onAway = (): void => stopping.abort();
  const warn = (_: object, message?: string): void => {
    messages.push(message);
    if (message === 'database.awaited') onAway();
  };
  const silent = (): void => {};
  const log = { debug: silent, info: silent, warn, error: silent };
  const away = { shards: { a: gate.url, b: NOWHERE }, log };
  await expect(start({ ...away, signal: stopping.signal })).rejects.toThrow('it has ended');
  expect(messages.toSorted()).toEqual(['database.awaited', 'shard.away', 'shard.away']);
  onAway = () => void gate.open();
  const worker = await start(away);
  expect(await worker.stop()).toBe(0);
  gate.close();
});

test('a worker of one shard carries to the others, and leaves their jobs to them', async () => {
  const worker = await start({ shards: { a: a.url, b: b.url }, shard: 'a' });
  const shards = openShards({ shards: { a: a.db, b: b.db } });
  const sent = await forward(shards.in('a'), 'b', greet, { name: 'there' });
  const { id } = (await untilJob(shards, sent.id)).result as { id: string };
  expect((await shards.getJob(id)).job.status).toBe('queued');
  expect(await worker.stop()).toBe(0);
  await shards.cancelJob(id);
});

test('a worker that may not start on one shard lets the jobs end that it has begun on another', async () => {
  const [begun, draining] = [createFact(), createFact()];
  const { hostname, port } = new URL(a.url);
  // answers late, and is another shard than it is said to be
  const late = createServer((socket) => {
    socket.on('error', () => {});
    void begun.happened.then(() => {
      const server = connect(Number(port), hostname).on('error', () => socket.destroy());
      socket.pipe(server).pipe(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(late, 'listening');
  const b = Object.assign(new URL(a.url), { host: `127.0.0.1:${(late.address() as AddressInfo).port}` }).toString();
  const shards = openShards({ shards: { a: a.db } });
  const { id } = await shards.in('a').enqueue(greet, { name: 'a' });
  const greeting = async (): Promise<void> => {
    begun.happen();
    await draining.happened;
  };
  const starting = start({
    shards: { a: a.url, b },
    handlers: { greet: greeting },
    onEvent: ({ name }) => void (name === 'worker.draining' && draining.happen()),
  });
  await expect(starting).rejects.toThrow('the database of b is shard a');
  expect((await shards.getJob(id)).job).toMatchObject({ status: 'succeeded', attempts: 1 });
  late.close();
});

test.each([
  ['a and b that are the other one', () => ({ shards: { a: b.url, b: a.url } }), 'the database of a is shard b'],
  ['none that answers', () => ({ shards: { a: NOWHERE, b: NOWHERE }, databaseWaitMs: 0 }), 'No shard answers'],
  ['a name that is given twice', () => ({ shards: 'a=postgres://u:secret@h/one a=postgres://h/two' }), 'given twice'],
  [
    'one to serve that is not among them',
    () => ({ shards: { a: a.url }, shard: 'c' }),
    'SHARD must be one of SHARDS: a',
  ],
])('a worker does not start on %s', async (_, options, message) => {
  await expect(start(options())).rejects.toThrow(message);
});
