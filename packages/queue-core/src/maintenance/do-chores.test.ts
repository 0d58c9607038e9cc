import { defineCatalog, defineJob } from '@duework/contracts';
import { createFakeClock, startTestWorker } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { RESCUE } from '../ports/upkeep.js';
import { takeChores } from '../sql/upkeep/take-chores.js';
import { createPostgresStore } from '../store/postgres-store.js';
import type { Worker } from '../worker/create-worker.js';
import { doChoresUntil } from './do-chores.js';

const database = useTestDatabase();
const catalog = defineCatalog([defineJob({ type: 'idle', payload: z.object({}) })]);
const workers: Worker[] = [];

beforeAll(async () => {
  // each time that a chore was taken, by whomever
  await database.db.$executeRaw`CREATE TABLE public.taken (name text, at timestamptz)`;
  await database.db.$executeRaw`CREATE FUNCTION public.note_taken() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN INSERT INTO public.taken VALUES (NEW.name, NEW.taken_at); RETURN NULL; END $$`;
  await database.db
    .$executeRaw`CREATE TRIGGER note_taken AFTER UPDATE ON duework.chores FOR EACH ROW EXECUTE FUNCTION public.note_taken()`;
});
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.chores, public.taken`;
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

/** In which periods of that length a chore was taken. */
const periodsOf = async (name: string, everyMs: number): Promise<number[]> => {
  const rows = await database.db.$queryRaw<{ period: number }[]>`
    SELECT floor(date_part('epoch', at) * 1000 / ${everyMs}::float8)::float8 AS period FROM public.taken
    WHERE split_part(name, ' ', 1) = ${name}::text ORDER BY at`;
  return rows.map(({ period }) => period);
};

async function start(name: string, everyMs: number, act: () => void): Promise<Worker> {
  const { worker } = await startTestWorker<typeof catalog>(database.db, {
    name,
    catalog,
    handlers: { idle: () => {} },
    store: createPostgresStore({ db: database.connect({ poolSize: 2 }) }),
    maintenance: { rescueIntervalMs: everyMs, alertIntervalMs: everyMs, pruneIntervalMs: 3_600_000 },
    chores: [{ name: 'mine', intervalMs: everyMs, act: async () => act() }],
  });
  workers.push(worker);
  return worker;
}

test('two workers do each chore once in each period', async () => {
  const acted: string[] = [];
  let done!: () => void;
  const enough = new Promise<void>((resolve) => (done = resolve));
  const names = ['ada', 'bob'];
  const started = await Promise.all(
    names.map((name) => start(name, 100, () => void (acted.push(name) === 30 && done()))),
  );
  await enough;
  await Promise.all(started.map((worker) => worker.stop({ deadlineMs: 0 })));
  for (const name of ['mine', 'rescue', 'alerts']) {
    const periods = await periodsOf(name, 100);
    expect(new Set(periods).size).toBe(periods.length);
  }
  expect(await periodsOf('mine', 100)).toHaveLength(acted.length);
});

test('whoever dies after it has taken a chore delays it until the next period', async () => {
  const everyMs = 1_000;
  const done = { times: 0 };
  await start('ada', everyMs, () => void done.times++);
  while (done.times === 0) await takeChores(database.db, []);
  const asked = [{ name: 'mine', everyMs }];
  // comes before the worker in one of the periods, and is never heard of again
  while ((await takeChores(database.db, asked)).taken.length === 0);
  const before = { ...done };
  while (done.times === before.times) await takeChores(database.db, []);
  const [died, next] = (await periodsOf('mine', everyMs)).slice(-2);
  expect(next).toBe(died! + 1);
});

test('workers that do a chore otherwise do not take it from each other', async () => {
  const acted = new Set<string>();
  for (const by of ['a', 'b']) {
    const { worker } = await startTestWorker<typeof catalog>(database.db, {
      name: by,
      catalog,
      handlers: { idle: () => {} },
      chores: [{ name: 'mine', by, intervalMs: 3_600_000, act: async () => void acted.add(by) }],
    });
    workers.push(worker);
  }
  while (acted.size < 2) await takeChores(database.db, []);
});

test.each([1_000, 1_700, 5_000])(
  'lost work is looked for as its period begins, beside a chore of each %s ms, which is done as its own begins',
  async (intervalMs) => {
    const clock = createFakeClock();
    const everyMs = new Map<string, number>();
    const takenMs = new Map<string, number[]>();
    const stopping = new AbortController();
    // as the database decides it
    const store = {
      takeChores: async (asked: readonly { readonly name: string; readonly everyMs: number }[]) => {
        const nowMs = clock.now().getTime();
        const taken = asked.filter(({ name, everyMs: each }) => {
          everyMs.set(name, each);
          const times = takenMs.get(name) ?? [];
          if (Math.floor((times.at(-1) ?? 0) / each) === Math.floor(nowMs / each)) return false;
          takenMs.set(name, [...times, nowMs]);
          return true;
        });
        const names = taken.map(({ name }) => name);
        return { taken: names, nowMs, lost: names.includes(RESCUE) ? { hasExpired: false, missing: [] } : null };
      },
    };
    const report = { succeeded: () => {}, failed: () => {} };
    const needs = { clock, random: () => 1, report, store, emit: () => {}, name: 'ada' };
    const chores = [{ name: 'mine', intervalMs, act: async () => {} }];
    const times = { rescueIntervalMs: 2_500, seldomAfterMs: 0 };
    const done = doChoresUntil(stopping.signal, needs as never, times, chores);
    await clock.advance(60_000);
    stopping.abort();
    await done;
    for (const [name, at] of takenMs) {
      const lateMs = Math.max(...at.slice(1).map((ms) => ms % everyMs.get(name)!));
      // what the others leave to whoever had the period before
      expect([name, lateMs <= 126]).toEqual([name, true]);
      expect(at.length).toBeGreaterThanOrEqual(60_000 / everyMs.get(name)!);
    }
  },
);
