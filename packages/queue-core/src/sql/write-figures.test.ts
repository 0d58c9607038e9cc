import { beforeEach, expect, test } from '@jest/globals';
import { useTestDatabase } from '@duework/testing/fixtures';
import type { FiguresRow } from '../ports/upkeep.js';
import { enqueue } from '../enqueue.js';
import { echo } from '@duework/testing/fixtures';
import { sampleDepth } from './sample-depth.js';
import { writeFigures } from './write-figures.js';

const database = useTestDatabase();
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.figures_minutes, duework.figures_hours`;
});

const minute = Date.UTC(2026, 0, 31, 12, 34);
const row = (more: Partial<FiguresRow> = {}): FiguresRow => ({
  atMs: minute,
  queue: 'default',
  type: 'echo',
  claimed: 3,
  succeeded: 2,
  failed: 1,
  dead: 0,
  cancelled: 0,
  snoozed: 0,
  waited: [1, 2],
  ran: [0, 0, 3],
  waitedMs: 2.5,
  ranMs: 9,
  ...more,
});
const read = async (table: 'figures_minutes' | 'figures_hours'): Promise<object[]> =>
  table === 'figures_minutes'
    ? database.db
        .$queryRaw`SELECT at, queue, job_type, claimed::int, succeeded::int, waited::int[], ran::int[], waited_ms, due::int
        FROM duework.figures_minutes WHERE queue <> '' ORDER BY at, queue, job_type`
    : database.db
        .$queryRaw`SELECT at, queue, job_type, claimed::int, succeeded::int, waited::int[], ran::int[], waited_ms, due::int
        FROM duework.figures_hours WHERE queue <> '' ORDER BY at, queue, job_type`;

test('what workers did adds up in its minute and in its hour, place by place', async () => {
  const nowMs = await writeFigures(database.db, [
    row(),
    row({ atMs: minute + 60_000, type: 'other' }),
    row({ claimed: 1, waited: [0, 0, 0, 1], ran: [1] }),
  ]);
  expect(Math.abs(nowMs - Date.now())).toBeLessThan(60_000);
  await writeFigures(database.db, [row({ atMs: minute + 60_000, waited: [5] })]);
  await writeFigures(database.db, []);
  const of = { queue: 'default', job_type: 'echo', due: null };
  const sum = { claimed: 4, succeeded: 4, waited: [1, 2, 0, 1], ran: [1, 0, 3], waited_ms: 5 };
  expect(await read('figures_minutes')).toEqual([
    { ...of, ...sum, at: new Date(minute) },
    { ...of, at: new Date(minute + 60_000), claimed: 3, succeeded: 2, waited: [5], ran: [0, 0, 3], waited_ms: 2.5 },
    {
      ...of,
      at: new Date(minute + 60_000),
      job_type: 'other',
      claimed: 3,
      succeeded: 2,
      waited: [1, 2],
      ran: [0, 0, 3],
      waited_ms: 2.5,
    },
  ]);
  expect(await read('figures_hours')).toMatchObject([
    {
      ...of,
      at: new Date(Date.UTC(2026, 0, 31, 12)),
      claimed: 7,
      waited: [6, 2, 0, 1],
      ran: [1, 0, 6],
      waited_ms: 7.5,
    },
    { job_type: 'other', claimed: 3 },
  ]);
});

test('20 workers that write at once lose nothing', async () => {
  const clients = Array.from({ length: 20 }, () => database.connect({ poolSize: 1 }));
  const types = Array.from({ length: 10 }, (_, n) => `type_${n}`);
  await Promise.all(
    clients.map(async (db, index) => {
      const mine = index % 2 === 0 ? types : [...types].reverse();
      for (let n = 0; n < 5; n++)
        await writeFigures(
          db,
          mine.map((type) => row({ type })),
        );
    }),
  );
  expect(await read('figures_minutes')).toMatchObject(types.map((type) => ({ job_type: type, claimed: 300 })));
});

test('what waits is sampled once a minute, by whoever comes first', async () => {
  await enqueue(database.db, echo, { n: 1 });
  await database.db.$transaction(async (tx) => {
    await sampleDepth(tx);
    await enqueue(tx, echo, { n: 2 });
    await sampleDepth(tx);
  });
  expect(await read('figures_minutes')).toMatchObject([{ queue: 'default', job_type: 'echo', claimed: 0, due: 1 }]);
  expect(await read('figures_hours')).toMatchObject([{ queue: 'default', job_type: 'echo', due: 1 }]);
});
