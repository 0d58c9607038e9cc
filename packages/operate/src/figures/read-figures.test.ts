import { createPostgresStore, enqueue, enqueueMany, jobRequest } from '@duework/queue-core';
import { emptyTables, useWorkers, work } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Figures } from './figures.js';
import { percentile } from './percentile.js';
import { readFigures } from './read-figures.js';

const { database, start } = useWorkers();
beforeEach(async () => {
  await emptyTables(database.db, 'figures_minutes, figures_hours, figures_days');
});

type FiguresRow = Parameters<NonNullable<ReturnType<typeof createPostgresStore>['writeFigures']>>[0][number];

/** What a worker has counted within a minute. */
const counted = (more: Partial<FiguresRow>): FiguresRow => ({
  atMs: null,
  queue: 'default',
  type: 'work',
  claimed: 10,
  succeeded: 9,
  failed: 1,
  dead: 0,
  cancelled: 0,
  snoozed: 0,
  waited: [1, 0, 2],
  ran: [0, 3],
  waitedMs: 7,
  ranMs: 9,
  ...more,
});

/** The minute of the database's clock, and what writes figures as workers do. */
async function startWriting(): Promise<{ now: number; write: (rows: readonly FiguresRow[]) => Promise<number> }> {
  const store = createPostgresStore({ db: database.db });
  return {
    now: Math.floor((await store.writeFigures!([])) / 60_000) * 60_000,
    write: (rows) => store.writeFigures!(rows),
  };
}

describe('figures', () => {
  test('what workers did is there when they have stopped: how many, how they ended, how long they waited and ran', async () => {
    await enqueueMany(
      database.db,
      Array.from({ length: 30 }, (_, n) => jobRequest(work, { n })),
    );
    const started = await Promise.all(
      [1, 2].map(() =>
        start(async ({ payload: { n }, attempt }) => {
          if (n === 0 && attempt === 1) throw new Error('once');
          await new Promise((resolve) => setTimeout(resolve, 12));
        }),
      ),
    );
    for (let done = 0; done < 30;) {
      done = started.reduce((sum, { events }) => sum + events.named('job.succeeded').length, 0);
      if (done < 30) await Promise.race(started.map(({ events }) => events.next()));
    }
    await Promise.all(started.map(({ worker }) => worker.stop({ deadlineMs: 1_000 })));
    for (const step of ['1m', '1h'] as const) {
      const lines = await readFigures(database.db, { queue: 'default', type: 'work', step });
      const sum = (name: 'claimed' | 'succeeded' | 'failed' | 'dead'): number =>
        lines.reduce((total, line) => total + line[name], 0);
      expect({
        claimed: sum('claimed'),
        succeeded: sum('succeeded'),
        failed: sum('failed'),
        dead: sum('dead'),
      }).toEqual({ claimed: 31, succeeded: 30, failed: 1, dead: 0 });
      const last = lines.at(-1)!;
      expect(last).toMatchObject({ queue: 'default', type: 'work', at: expect.any(Date) });
      expect(last.run.p50Ms).toBeGreaterThanOrEqual(8);
      expect(last.run.p95Ms).toBeGreaterThanOrEqual(last.run.p50Ms!);
      expect(last.wait.count).toBe(last.claimed);
    }
  });

  test('a step sums its minutes, and other queues and types are left out', async () => {
    await database.db.$executeRaw`
      INSERT INTO duework.figures_minutes (at, queue, job_type, claimed, succeeded, waited, waited_ms, due, oldest_seconds)
      SELECT date_trunc('hour', now()) - interval '1 hour' + n * interval '1 minute', q, 'work', 10, 9, ARRAY[1, 0, n], 7, n, n / 2.0
      FROM generate_series(1, 4) AS n CROSS JOIN unnest(ARRAY['default', 'mail']) AS q`;
    const [line, ...more] = await readFigures(database.db, {
      queue: 'default',
      step: '5m',
      since: new Date(Date.now() - 2 * 3_600_000),
    });
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      claimed: 40,
      succeeded: 36,
      due: 4,
      oldestWaitingSeconds: 2,
      wait: { count: 14, meanMs: 2 },
    });
    expect(await readFigures(database.db, { type: 'other', step: '5m' })).toEqual([]);
  });

  test('all queues and types together are one line a step, whose depth is that of one moment; a whole span is one step', async () => {
    const { now, write } = await startWriting();
    for (const queue of ['default', 'mail'])
      await write([1, 2, 3, 4].map((n) => counted({ queue, atMs: now - n * 60_000, waited: [1, 0, n] })));
    // as a sample of each minute would have noted it: nothing in the line that only says that there was one
    await database.db.$executeRaw`
      UPDATE duework.figures_minutes SET due = CASE job_type WHEN '*' THEN 2 ELSE 1 END * extract(epoch FROM to_timestamp(${now / 1_000}::float8) - at) / 60
      WHERE job_type <> ''`;
    const read = async (queue?: string): Promise<Figures[]> =>
      (await readFigures(database.db, { isTogether: true, queue })).filter(({ claimed }) => claimed > 0);
    const minutes = await read();
    expect(minutes.map(({ queue, type, claimed, due }) => [queue, type, claimed, due])).toEqual([
      ['', '', 20, 8],
      ['', '', 20, 6],
      ['', '', 20, 4],
      ['', '', 20, 2],
    ]);
    const mails = await read('mail');
    expect(mails.map(({ queue, claimed, due }) => [queue, claimed, due])).toEqual([
      ['', 10, 4],
      ['', 10, 3],
      ['', 10, 2],
      ['', 10, 1],
    ]);
    const since = new Date(now - 3_600_000);
    expect(await readFigures(database.db, { isTogether: true, step: 'whole', since })).toMatchObject([
      { at: since, queue: '', type: '', claimed: 80, failed: 8, wait: { count: 28, meanMs: 2 } },
    ]);
    expect(await readFigures(database.db, { step: 'whole', since })).toMatchObject([
      { queue: 'default', type: 'work', claimed: 40 },
      { queue: 'mail', type: 'work', claimed: 40 },
    ]);
  });

  test('a whole span, and steps of days, are the same whatever they are read from', async () => {
    const { now, write } = await startWriting();
    const hoursAgo = [0.01, 0.5, 3, 20, 30, 24 * 9, 24 * 80];
    await write(hoursAgo.map((hours) => counted({ atMs: Math.floor((now - hours * 3_600_000) / 60_000) * 60_000 })));
    const read = async (hours: number, isTogether: boolean): Promise<(number | undefined)[]> => {
      const since = new Date(now - hours * 3_600_000);
      const [whole] = await readFigures(database.db, { step: 'whole', since, isTogether });
      const days = await readFigures(database.db, { step: '1d', since, isTogether });
      return [whole?.claimed, whole?.run.count, days.reduce((sum, { claimed }) => sum + claimed, 0)];
    };
    for (const isTogether of [true, false])
      expect([
        await read(24 * 8, isTogether),
        await read(24 * 10, isTogether),
        await read(24 * 85, isTogether),
      ]).toEqual([
        [50, 15, 50],
        [60, 18, 60],
        [70, 21, 70],
      ]);
    const whole = async (hours: number): Promise<number | undefined> =>
      (await readFigures(database.db, { step: 'whole', since: new Date(now - hours * 3_600_000) }))[0]?.claimed;
    expect([await whole(1), await whole(4), await whole(24)]).toEqual([20, 30, 40]);
  });

  test('an unknown step, or more than 1,500 of them, is refused', async () => {
    const refused = { code: 'invalid_option' };
    await expect(readFigures(database.db, { step: '2m' as never })).rejects.toMatchObject(refused);
    await expect(readFigures(database.db, { since: new Date(0) })).rejects.toMatchObject(refused);
    await expect(readFigures(database.db, { since: new Date(NaN) })).rejects.toMatchObject(refused);
    await expect(readFigures(database.db, { step: 'whole', since: new Date(0) })).rejects.toMatchObject(refused);
  });

  test('a percentile is within the doubling that its place stands for', () => {
    expect(percentile([], 0.5)).toBeNull();
    expect(percentile([4], 0.5)).toBe(0.5);
    expect(percentile([0, 0, 0, 10], 0.5)).toBe(6);
    expect(percentile([90, 0, 0, 0, 0, 10], 0.95)).toBe(24);
    expect(percentile([90, 0, 0, 0, 0, 10], 1)).toBe(32);
  });
});

test('a worker that the database does not hear counts on, and writes it later', async () => {
  await enqueue(database.db, work, { n: 1 });
  await database.db.$executeRaw`ALTER TABLE duework.figures_hours RENAME TO figures_gone`;
  const { worker, events } = await start(() => {}, { maintenance: { figuresIntervalMs: 20 } });
  await events.waitFor('job.succeeded');
  await events.waitFor('database.failed');
  await database.db.$executeRaw`ALTER TABLE duework.figures_gone RENAME TO figures_hours`;
  await events.waitFor('database.recovered');
  await worker.stop({ deadlineMs: 0 });
  const lines = await readFigures(database.db, { type: 'work' });
  expect(lines.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(1);
});
