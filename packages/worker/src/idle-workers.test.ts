import { setTimeout } from 'node:timers/promises';
import { defineCatalog, defineJob } from '@duework/contracts';
import { useOwnServer } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { runWorker } from './run-worker.js';
import { createFact } from './testing/create-fact.js';

const server = useOwnServer({ shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'all' });
const catalog = defineCatalog([defineJob({ type: 'idle', payload: z.object({}) })]);

/** Resolves with what ends with the worker, once it has started. */
async function start(signal: AbortSignal, workerName: string): Promise<{ readonly ended: Promise<unknown> }> {
  const started = createFact();
  const ended = runWorker({
    catalog,
    handlers: { idle: () => {} },
    databaseUrl: server.url,
    workerName,
    workerPort: 'none',
    logLevel: 'silent',
    handleSignals: false,
    signal,
    onStarted: () => started.happen(),
  });
  await started.happened;
  return { ended };
}

interface Sent {
  /** Statements of all workers, and how many of them asked for chores. */
  readonly all: number;
  readonly asked: number;
  /** What is done for all: looks for lost work, for alerts and at what waits. */
  readonly looks: number;
  readonly forAll: number;
  readonly seconds: number;
}

/** What is sent from now on until so many have asked for chores. */
async function countUntilAsked(asked: number): Promise<Sent> {
  const read = () => server.db.$queryRaw<[Sent]>`
    SELECT coalesce(sum(calls) FILTER (WHERE toplevel AND query NOT LIKE '%pg_stat_statements%'), 0)::int AS all,
      coalesce(sum(calls) FILTER (WHERE toplevel AND query LIKE '%take_chores(%'), 0)::int AS asked,
      coalesce(sum(calls) FILTER (WHERE NOT toplevel AND query LIKE '%lost_workers%' AND query NOT LIKE '%unserved%'), 0)::int AS looks,
      coalesce(sum(calls) FILTER (WHERE toplevel AND query ~ 'look_for_alerts|queue_depth|expire_runs|add_up_batches|find_forgotten'), 0)::int
        AS "forAll",
      date_part('epoch', clock_timestamp() - (SELECT stats_reset FROM pg_stat_statements_info))::float8 AS seconds
    FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await server.db.$queryRaw`SELECT pg_stat_statements_reset()::text`;
  for (;;) {
    const [sent] = await read();
    if (sent.asked >= asked) return sent;
    // without it this would keep a core busy for minutes
    await setTimeout(100);
  }
}

/** How many periods, of each of which it may see a part, a time has at the most. */
const periodsIn = (seconds: number, each: number): number => Math.floor(seconds / each) + 2;

test('an idle worker sends less than one statement a second, and several share one set of chores', async () => {
  await server.db.$executeRaw`CREATE EXTENSION pg_stat_statements`;
  const stopping = new AbortController();
  const running = [await start(stopping.signal, 'w0')];
  // what it sends at its start, while its polls become seldom
  await countUntilAsked(6);
  // a minute, of which each has some
  const one = await countUntilAsked(24);
  for (let n = 1; n < 4; n++) running.push(await start(stopping.signal, `w${n}`));
  await countUntilAsked(24);
  const four = await countUntilAsked(32);
  stopping.abort();
  await Promise.all(running.map(({ ended }) => ended));
  expect(one.all / one.seconds).toBeLessThan(1);
  expect(four.all / four.seconds).toBeLessThan(4);
  for (const { looks, forAll, seconds } of [one, four]) {
    // whoever looks
    expect(looks).toBeLessThanOrEqual(periodsIn(seconds, 2.5));
    // two of them once a minute, the others only where there is something to do
    expect(forAll).toBeLessThanOrEqual(2 * periodsIn(seconds, 60));
  }
});
