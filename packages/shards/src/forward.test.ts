import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { defineJob } from '@duework/contracts';
import { connectPg } from '@duework/database';
import { getJob, type Worker } from '@duework/queue-core';
import { startTestWorker } from '@duework/testing';
import { charge, echo, startCuttableProxy, untilJob } from '@duework/testing/fixtures';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { carryForwards } from './carry-forwards.js';
import { forwardJob } from './forward-contract.js';
import { forward } from './forward.js';
import { openShards } from './open-shards.js';
import type { ShardClients } from './shards.js';
import { useTwoShards } from './testing/use-two-shards.js';

const { a, b } = useTwoShards();
const workers: Worker[] = [];

beforeEach(async () => {
  for (const { db } of [a, b])
    await db.$executeRaw`WITH k AS (DELETE FROM duework.job_keys), c AS (DELETE FROM duework.carried_jobs) DELETE FROM duework.job_runs`;
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** A worker of shard a that carries to the shards that it knows. */
async function carry(shards: ShardClients = { a: a.db, b: b.db }, more: { concurrency?: number } = {}): Promise<void> {
  const handlers = { duework_forward: carryForwards('a', shards) };
  const { worker } = await startTestWorker(a.db, { catalog: [forwardJob], handlers, ...more });
  workers.push(worker);
}

const runsOf = (type: string): Promise<{ id: string; payload: unknown; due_in: number }[]> =>
  b.db
    .$queryRaw`SELECT id::text, payload, extract(epoch FROM run_at - created_at)::float8 AS due_in FROM duework.job_runs
    WHERE job_type = ${type} ORDER BY id`;

describe('a forward', () => {
  test('commits with the transaction that it was written in, and names the job that it has become', async () => {
    await carry();
    const shards = openShards({ shards: { a: a.db, b: b.db } });
    const sent = await a.db.$transaction((tx) => forward(shards.in('a', tx), 'b', echo, { n: 1 }, { priority: 2 }));
    expect(sent.id).toMatch(/^a\./);
    const { result } = await untilJob(shards, sent.id, { status: 'succeeded' });
    const { id } = result as { id: string };
    expect((await shards.getJob(id)).job).toMatchObject({ id, type: 'echo', payload: { n: 1 }, priority: 2 });
  });

  test('leaves nothing anywhere where that transaction is rolled back', async () => {
    await carry();
    await expect(
      a.db.$transaction(async (tx) => {
        await forward(tx, 'b', echo, { n: 1 });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    const next = await forward(a.db, 'b', echo, { n: 2 });
    await untilJob(a.db, next.id, { status: 'succeeded' });
    expect(await runsOf('echo')).toMatchObject([{ payload: { n: 2 } }]);
  });

  test('is refused as an enqueue of its job would be, and nothing is written', async () => {
    await expect(forward(a.db, 'b', echo, { n: 1.5 })).rejects.toMatchObject({ code: 'invalid_payload' });
    await expect(forward(a.db, 'B', echo, { n: 1 })).rejects.toMatchObject({ code: 'invalid_option' });
    const [row] = await a.db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM duework.job_runs`;
    expect(row).toEqual({ count: 0 });
  });

  test('carries a payload of 64 KiB, whatever is in it', async () => {
    await carry();
    const large = defineJob({ type: 'large', payload: z.object({ text: z.string() }) });
    const text = '"\\ü\n'.repeat(8_000);
    const { id } = await forward(a.db, 'b', large, { text });
    await untilJob(a.db, id, { status: 'succeeded' });
    expect((await runsOf('large'))[0]!.payload).toEqual({ text });
  });

  test('whose job has a key makes one job for it, and says that it was there', async () => {
    await carry();
    const [first, second] = [
      await forward(a.db, 'b', charge, { invoice: 1 }),
      await forward(a.db, 'b', charge, { invoice: 1 }),
    ];
    const results = [await untilJob(a.db, first.id), await untilJob(a.db, second.id)].map(
      ({ result }) => result as { id: string; deduplicated: boolean },
    );
    expect(results[0]!.id).toBe(results[1]!.id);
    expect(results.map(({ deduplicated }) => deduplicated)).toEqual([false, true]);
    expect(await runsOf('charge')).toHaveLength(1);
  });

  test('keeps the moment at which its job was to be due, however long the way was', async () => {
    const { id } = await forward(a.db, 'b', echo, { n: 1 }, { delay: '1h' });
    await a.db.$executeRaw`UPDATE duework.job_runs SET created_at = created_at - interval '50 minutes'`;
    await carry();
    await untilJob(a.db, id, { status: 'succeeded' });
    expect(Math.round((await runsOf('echo'))[0]!.due_in / 60)).toBe(10);
  });

  test('that is carried twice at once makes one job', async () => {
    const { id } = await forward(a.db, 'b', echo, { n: 1 });
    const [run] = await a.db.$queryRaw<{ payload: { run: never } }[]>`SELECT payload FROM duework.job_runs`;
    const job = { run: { id, createdAtMs: 0 }, payload: run!.payload } as never;
    const handler = carryForwards('a', { b: b.db });
    const context = { by: 'b', signal: new AbortController().signal };
    const outcomes = await Promise.all(Array.from({ length: 8 }, async () => handler([job], context)));
    const [made] = await runsOf('echo');
    expect(outcomes.flat()).toEqual(
      Array.from({ length: 8 }, () => ({ kind: 'complete', result: { id: `b.${made!.id}`, deduplicated: false } })),
    );
    expect(await runsOf('echo')).toHaveLength(1);
  });

  test('that the target refuses does not hold up those beside it', async () => {
    const good = await forward(a.db, 'b', echo, { n: 1 });
    const bad = await forward(a.db, 'b', echo, { n: 2 });
    // as a program of another version might have written it
    await a.db
      .$executeRaw`UPDATE duework.job_runs SET payload = jsonb_set(payload, '{run,payloadJson}', '"{"') WHERE id = ${BigInt(bad.id)}`;
    await carry();
    await untilJob(a.db, good.id, { status: 'succeeded' });
    const failed = await untilJob(a.db, bad.id, { status: 'failed' });
    expect(failed.lastError).toContain('Shard b: ');
    expect(await runsOf('echo')).toMatchObject([{ payload: { n: 1 } }]);
  });

  test('to a shard that nobody here knows waits, and says so', async () => {
    await carry({ a: a.db });
    const { id } = await forward(a.db, 'b', echo, { n: 1 });
    expect(await untilJob(a.db, id, { status: 'failed' })).toMatchObject({
      errorCode: 'unknown_shard',
      lastError: expect.stringContaining('it knows a'),
    });
  });
});

test('forwards to a shard that hangs take one slot, and no more of the worker', async () => {
  let calls = 0;
  let answer = (): void => {};
  const hung = new Promise<never>((_, reject) => (answer = () => reject(new Error('it has hung'))));
  const call = (): Promise<never> => {
    calls++;
    return hung;
  };
  await carry({ a: a.db, b: { $queryRaw: call, $transaction: call } as never }, { concurrency: 2 });
  const hanging: { id: string }[] = [];
  for (let n = 0; n < 10; n++) {
    hanging.push(await forward(a.db, 'b', echo, { n }));
    const here = await forward(a.db, 'a', echo, { n });
    await untilJob(a.db, here.id, { status: 'succeeded' });
  }
  expect(calls).toBe(1);
  answer();
  for (const { id } of hanging)
    expect((await untilJob(a.db, id, { status: 'failed' })).lastError).toContain('it has hung');
});

test('forwards wait for a shard that is away, and others pass them', async () => {
  const proxy = await startCuttableProxy(b.url);
  const through = connectPg({ url: proxy.url, connectTimeoutMs: 200, statementTimeoutMs: 500 });
  try {
    proxy.cut();
    await carry({ a: a.db, b: through });
    const away = await forward(a.db, 'b', echo, { n: 1 });
    const here = await forward(a.db, 'a', echo, { n: 2 });
    await untilJob(a.db, here.id, { status: 'succeeded' });
    expect((await untilJob(a.db, away.id, { status: 'failed' })).errorCode).toBe('database_unreachable');
    proxy.mend();
    const { result } = await untilJob(a.db, away.id, { status: 'succeeded' });
    expect((await getJob(b.db, (result as { id: string }).id.slice(2))).job.payload).toEqual({ n: 1 });
  } finally {
    proxy.stop();
    await through.$disconnect();
  }
});

test('forwards whose carriers are killed while they carry become one job each', async () => {
  const COUNT = 300;
  const put = (first: number): Promise<void> =>
    a.db.$transaction(async (tx) => {
      for (let n = first; n < first + COUNT / 3; n++) await forward(tx, 'b', echo, { n });
    });
  const alive: ChildProcess[] = [];
  const program = fileURLToPath(new URL('./testing/carry-program.mjs', import.meta.url));
  const start = async (): Promise<ChildProcess> => {
    const child = fork(program, [a.url, b.url]);
    alive.push(child);
    await once(child, 'message');
    return child;
  };
  try {
    for (let killed = 0; killed < 3; killed++) {
      const before = (await runsOf('echo')).length;
      await put((killed * COUNT) / 3);
      const child = await start();
      while ((await runsOf('echo')).length < before + 10);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await start();
    const waiting = async (): Promise<number> => {
      const [row] = await a.db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM duework.job_runs`;
      return row!.count;
    };
    while ((await waiting()) > 0);
    const numbers = (await runsOf('echo')).map(({ payload }) => (payload as { n: number }).n);
    expect(numbers.toSorted((x, y) => x - y)).toEqual(Array.from({ length: COUNT }, (_, n) => n));
  } finally {
    for (const child of alive) child.kill('SIGKILL');
  }
});
