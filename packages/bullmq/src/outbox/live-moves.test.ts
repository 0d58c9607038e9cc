import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { defineJob } from '@duework/contracts';
import { enqueue, type Worker } from '@duework/queue-core';
import { carryForwards, forwardJob, forwardWaiting, originOf } from '@duework/shards';
import { startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createBullmqStore } from '../create-bullmq-store.js';
import { openBullmqQueue } from '../open-bullmq-queue.js';
import { bringBack } from './bring-back.js';
import { bullmqTarget } from './bullmq-target.js';
import { openDedicated } from './open-dedicated.js';
import { useRedis } from './testing/use-redis.js';

const hop = defineJob({ type: 'hop', payload: z.object({ n: z.int() }), lease: '30s' });
const database = useTestDatabase();
const redis = useRedis();
const workers: Worker[] = [];
const alive: ChildProcess[] = [];
const PROGRAM = fileURLToPath(new URL('./testing/move-program.mjs', import.meta.url));

afterEach(async () => {
  for (const child of alive.splice(0)) child.kill('SIGKILL');
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** Workers of both sides, and what each of their attempts has run. */
async function startBoth(): Promise<{ readonly table: number[]; readonly dedicated: number[] }> {
  const ran = { table: [] as number[], dedicated: [] as number[] };
  const run =
    (numbers: number[]) =>
    async ({ payload }: { payload: { n: number } }): Promise<void> => {
      numbers.push(payload.n);
      // slow enough that much waits, and moves
      await new Promise((resolve) => setTimeout(resolve, 4));
    };
  const shared = { catalog: [hop], concurrency: 2, buffer: 0 };
  const store = createBullmqStore({ connection: redis.redis });
  workers.push((await startTestWorker(database.db, { ...shared, handlers: { hop: run(ran.table) } })).worker);
  workers.push(
    (await startTestWorker(database.db, { ...shared, store, handlers: { hop: run(ran.dedicated) } })).worker,
  );
  return ran;
}

async function countLive(): Promise<number> {
  const [row] = await database.db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM duework.job_runs`;
  const { wait, prioritized, delayed, active } = await redis
    .queue('default')
    .getJobCounts('wait', 'prioritized', 'delayed', 'active');
  return row!.count + wait! + prioritized! + delayed! + active!;
}

test('a type that moves there and back while all goes on, by programs that are killed, runs each job once', async () => {
  const COUNT = 600;
  const dedicated = openBullmqQueue({ connection: redis.redis });
  const switched = openDedicated({ db: database.db, dedicated, types: ['hop'] });
  const ran = await startBoth();
  const producing = { isOver: false };
  /** Half of the programs know the type as one of the table, and some jobs are enqueued by both. */
  const produce = async (): Promise<void> => {
    for (let n = 0; n < COUNT; n++) {
      const key = n % 3 === 0 ? { idempotencyKey: `key ${n}` } : {};
      const here = (): Promise<unknown> => enqueue(database.db, hop, { n }, key);
      const there = (): Promise<unknown> => switched.enqueue(hop, { n }, key);
      const inTransaction = (): Promise<unknown> =>
        database.db.$transaction((tx) => switched.in(tx).enqueue(hop, { n }, key));
      await [here, there, inTransaction][n % 4 === 3 ? 2 : n % 2]!();
      if (n % 3 === 0) await Promise.all([here(), inTransaction()]);
    }
    producing.isOver = true;
  };
  const produced = produce();
  const moves = { forwarded: 0, brought: 0 };
  let killed = 0;
  while (!producing.isOver || killed < 6) {
    const child = fork(PROGRAM, [database.url, String(redis.server.port)]);
    alive.push(child);
    const until = 3 + (killed % 5);
    await new Promise<void>((resolve) => {
      let heard = 0;
      child.on('message', (move: Partial<typeof moves>) => {
        moves.forwarded += move.forwarded ?? 0;
        moves.brought += move.brought ?? 0;
        if (++heard >= until) resolve();
      });
      child.on('exit', () => resolve());
    });
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    killed++;
  }
  await produced;
  // what was on its way when they were killed
  const target = bullmqTarget({ connection: redis.redis });
  const handlers = { duework_forward: carryForwards(await originOf(database.db), { dedicated: target }) };
  workers.push((await startTestWorker(database.db, { catalog: [forwardJob], handlers })).worker);
  await forwardWaiting(database.db, 'dedicated', hop);
  await bringBack({ db: database.db, connection: redis.redis, contract: hop });
  while ((await countLive()) > 0);
  target.close();
  const all = [...ran.table, ...ran.dedicated].toSorted((a, b) => a - b);
  expect(all).toEqual(Array.from({ length: COUNT }, (_, n) => n));
  expect(ran.table.length).toBeGreaterThan(0);
  expect(ran.dedicated.length).toBeGreaterThan(0);
  expect(moves.forwarded).toBeGreaterThan(0);
  expect(moves.brought).toBeGreaterThan(0);
});
