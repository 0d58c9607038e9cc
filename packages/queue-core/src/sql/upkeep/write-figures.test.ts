import { beforeEach, expect, test } from '@jest/globals';
import { defineCatalog, defineJob } from '@duework/contracts';
import { Prisma } from '@duework/database';
import { echo, emptyTables, useTestDatabase, work } from '@duework/testing/fixtures';
import { z } from 'zod';
import type { FiguresRow } from '../../ports/upkeep.js';
import { enqueue, enqueueMany } from '../../enqueue/enqueue.js';
import { jobRequest } from '../../enqueue/job-request.js';
import { pruneFigures } from './prune-figures.js';
import { sampleDepth } from '../claim/sample-depth.js';
import { registerDefinitions } from '../registry/register-definitions.js';
import { writeFigures } from './write-figures.js';

const gated = defineJob({ type: 'gated', payload: z.object({ n: z.int() }), limits: [{ max: 1 }] });
const database = useTestDatabase();
beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, figures_minutes, figures_hours, figures_days');
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
type Table = 'figures_minutes' | 'figures_hours' | 'figures_days';
/** The lines of queues and types, or those of all of them together. */
const read = async (table: Table, isTogether = false): Promise<object[]> =>
  database.db
    .$queryRaw`SELECT at, queue, job_type, claimed::int, succeeded::int, waited::int[], ran::int[], waited_ms, due::int, held::int
    FROM ${Prisma.raw(`duework.${table}`)} WHERE CASE WHEN ${isTogether} THEN queue = '' AND job_type = '*' ELSE queue <> '' END
    ORDER BY at, queue, job_type`;

test('what workers did adds up in its minute, its hour and its day, place by place, by type and together', async () => {
  const nowMs = await writeFigures(database.db, [
    row(),
    row({ atMs: minute + 60_000, type: 'other' }),
    row({ claimed: 1, waited: [0, 0, 0, 1], ran: [1] }),
  ]);
  expect(Math.abs(nowMs - Date.now())).toBeLessThan(60_000);
  await writeFigures(database.db, [row({ atMs: minute + 60_000, waited: [5] })]);
  await writeFigures(database.db, []);
  const of = { queue: 'default', job_type: 'echo', due: null, held: null };
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
  expect(await read('figures_days')).toMatchObject([
    { ...of, at: new Date(Date.UTC(2026, 0, 31)), claimed: 7, waited: [6, 2, 0, 1], ran: [1, 0, 6] },
    { job_type: 'other', claimed: 3 },
  ]);
  const together = { claimed: 10, succeeded: 8, waited: [7, 4, 0, 1], ran: [1, 0, 9], waited_ms: 10 };
  expect(await read('figures_minutes', true)).toMatchObject([{ claimed: 4 }, { claimed: 6, waited: [6, 2] }]);
  expect(await read('figures_hours', true)).toMatchObject([together]);
  expect(await read('figures_days', true)).toMatchObject([together]);
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
  expect(await read('figures_days', true)).toMatchObject([{ claimed: 3_000 }]);
});

test('what waits is sampled, and of two samples of a minute the larger one counts', async () => {
  await enqueueMany(database.db, [jobRequest(echo, { n: 1 }), jobRequest(echo, { n: 2 })]);
  await database.db.$transaction(async (tx) => {
    await sampleDepth(tx);
    await tx.$executeRaw`DELETE FROM duework.job_runs WHERE id = (SELECT min(id) FROM duework.job_runs)`;
    await sampleDepth(tx);
  });
  const sampled = { queue: 'default', job_type: 'echo', due: 2 };
  expect(await read('figures_minutes')).toMatchObject([{ ...sampled, claimed: 0 }]);
  expect(await read('figures_hours')).toMatchObject([sampled]);
  expect(await read('figures_days')).toMatchObject([sampled]);
});

test('what waits at gates is sampled apart from what is due', async () => {
  await registerDefinitions(database.db, defineCatalog([gated]));
  await enqueueMany(
    database.db,
    [1, 2, 3].map((n) => jobRequest(gated, { n })),
  );
  await database.db.$queryRaw`SELECT duework.take_looks(1000)`;
  await sampleDepth(database.db);
  for (const table of ['figures_minutes', 'figures_hours', 'figures_days'] as const)
    expect([...(await read(table, true)), ...(await read(table))]).toMatchObject([
      { job_type: '*', due: 1, held: 2 },
      { job_type: 'gated', due: 1, held: 2 },
    ]);
});

test('the most that was due in all is that of one moment, and nothing due is known to be nothing', async () => {
  const sample = () => sampleDepth(database.db);
  await sample();
  const due = async (table: Table): Promise<object[]> => [...(await read(table, true)), ...(await read(table))];
  expect(await due('figures_hours')).toMatchObject([{ job_type: '*', due: 0 }]);
  await enqueueMany(database.db, [jobRequest(echo, { n: 1 }), jobRequest(echo, { n: 2 })]);
  await sample();
  await database.db.$executeRaw`DELETE FROM duework.job_runs`;
  await enqueue(database.db, work, { n: 1 });
  await sample();
  for (const table of ['figures_hours', 'figures_days'] as const)
    expect(await due(table)).toMatchObject([{ due: 2 }, { job_type: 'echo', due: 2 }, { job_type: 'work', due: 1 }]);
});

test('minutes are kept for 25 hours, hours and days for 90 days', async () => {
  const ago = (hours: number): number => Date.now() - hours * 3_600_000;
  await writeFigures(
    database.db,
    [24, 27, 24 * 80, 24 * 95].map((hours) => row({ atMs: ago(hours) })),
  );
  expect(await pruneFigures(database.db, 100)).toBe(6);
  expect([(await read('figures_minutes')).length, (await read('figures_hours')).length]).toEqual([1, 3]);
  const [{ oldest }] = await database.db.$queryRaw<
    [{ oldest: Date }]
  >`SELECT min(at) AS oldest FROM duework.figures_days`;
  expect(oldest.getTime()).toBeGreaterThan(ago(24 * 90));
});
