import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { defineJob, defineSignal } from '@duework/contracts';
import { CRASH_POINTS, enqueue, signal, WAIT_CRASH_POINTS } from '@duework/queue-core';
import { beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { programPath } from './fixtures/program-path.js';
import { useTestDatabase } from './fixtures/use-test-database.js';

const database = useTestDatabase();
/** Where a process dies: at which point, of the order or of its child, for the nth time. */
interface Death {
  readonly n: number;
  readonly type: 'order' | 'pack';
  readonly point: string;
  readonly nth: number;
}

/** How often an order comes to each point; to the last claim only where its child has not ended before it waits. */
const CLAIMS = ['claim.committed', 'handler.before', 'settle.before', 'settle.committed'];
const VISITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(CLAIMS.map((point) => [point, 4])),
  'step.before': 2,
  'step.done': 2,
  'tx.written': 1,
  'tx.committed': 1,
  'wait.before': 6,
  'wait.begun': 6,
};
const PACK = ['claim.committed', 'handler.before', 'tx.written', 'tx.committed', 'settle.before'];
const deaths: readonly Death[] = [
  ...Object.entries(VISITS).flatMap(([point, times]) =>
    Array.from({ length: times }, (_, before) => ({ type: 'order', point, nth: before + 1 }) as const),
  ),
  ...PACK.map((point) => ({ type: 'pack', point, nth: 1 }) as const),
].map((death, n) => ({ ...death, n }));
const POINTS: readonly string[] = [...CRASH_POINTS, ...WAIT_CRASH_POINTS].filter(
  (point) => !point.startsWith('effect'),
);
const titleOf = ({ type, point, nth }: Death): string => `${type} ${point} ${nth}`;

const payload = z.object({ n: z.int() });
const order = defineJob({
  type: 'order',
  payload,
  durable: true,
  queues: ['default', ...deaths.map(({ n }) => `q${n}`)],
});
const tip = defineSignal({ name: 'tip', by: ['n'], payload: z.object({ n: z.int(), amount: z.int() }) });

const run = async (given: readonly Death[]): Promise<{ code: number | null; killed: string | null; said: string }> => {
  const program = programPath('workflow-program.mjs');
  const child = spawn(process.execPath, [program, database.url, JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  const [code, killed] = (await once(child, 'close')) as [number | null, string | null];
  return { code, killed, said };
};

/** Runs a process until it has killed itself; to which of its deaths it had come. */
async function die(given: readonly Death[]): Promise<Death[]> {
  const { killed, said } = await run(given);
  expect(killed).toBe('SIGKILL');
  return JSON.parse(said) as Death[];
}

interface End {
  readonly type: string;
  readonly n: number;
  readonly status: string;
  readonly result: unknown;
}
let reached: readonly string[];
/** With which the process has ended that ended all. */
let code: number | null;
let ends: readonly End[];
let did: readonly { readonly n: number; readonly what: string }[];
beforeAll(async () => {
  const { db } = database;
  await db.$executeRaw`CREATE TABLE did (n integer NOT NULL, what text NOT NULL)`;
  for (const { n } of deaths) {
    await enqueue(db, order, { n }, { queue: `q${n}` });
    for (const amount of [1, 2]) await signal(db, tip, { n, amount });
  }
  const killed = await Promise.all([0, 1, 2].map((part) => die(deaths.filter(({ n }) => n % 3 === part))));
  reached = killed.flat().map(titleOf);
  await db.$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 ms' WHERE status = 'running'`;
  code = (await run([])).code;
  ends = await db.$queryRaw<End[]>`
    SELECT job_type AS type, (payload ->> 'n')::int AS n, status, result FROM duework.job_history ORDER BY job_type DESC`;
  did = await db.$queryRaw`SELECT n, what FROM did`;
});

test('processes are killed at each point to which a workflow comes, each time that it does', () => {
  const surely = deaths.filter(({ point, nth }) => !CLAIMS.includes(point) || nth < VISITS[point]!);
  expect(reached).toEqual(expect.arrayContaining(surely.map(titleOf)));
  expect(code).toBe(0);
  expect(POINTS.filter((point) => VISITS[point] === undefined)).toEqual([]);
});

test.each(deaths.map((death) => [titleOf(death), death.n] as const))(
  'a process that is killed at %s is followed by one that ends the workflow as if nothing had been: what is done in transactions is done once',
  (_, n) => {
    expect(ends.filter((end) => end.n === n)).toEqual([
      {
        type: 'pack',
        n,
        status: 'succeeded',
        result: { box: `box ${n}` },
      },
      {
        type: 'order',
        n,
        status: 'succeeded',
        result: [`seat ${n}`, 'paid 5', `box ${n}`, 'tip 1: 1', 'tip 2: 2', 'tip 3: none'],
      },
    ]);
    const times = (wanted: string): number => did.filter(({ n: of, what }) => of === n && what === wanted).length;
    expect({ book: times('book'), pack: times('pack') }).toEqual({ book: 1, pack: 1 });
    // outside of them it is done again where the death came before it was written down
    for (const what of ['reserve', 'note']) expect([1, 2]).toContain(times(what));
  },
);

test('each signal is received by the wait that was there first, and none is left', async () => {
  expect(await database.db.$queryRaw`SELECT awaited, payload FROM duework.job_signals`).toEqual([]);
});
