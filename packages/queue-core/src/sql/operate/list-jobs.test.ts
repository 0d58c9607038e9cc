import { Prisma } from '@duework/database';
import { countBuffers, useTestDatabase } from '@duework/testing/fixtures';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { STATUSES } from '../../queue/job.js';
import { findJobs } from '../../queue/operate.js';
import type { JobFilter } from '../../ports/operator.js';
import { listJobs } from './list-jobs.js';
import { readQueueDepth } from '../claim/read-queue-depth.js';

const database = useTestDatabase();
const run = (statement: string) => database.db.$executeRaw(Prisma.raw(statement));

const TYPES = `CASE WHEN n % 10000 = 0 THEN 'rare' ELSE 'common' END`;
let lastId = 0;

/** Runs that wait, in two queues and priorities, every hundredth of them failed and a few running. */
async function addLive(rows: number): Promise<void> {
  const ids = `generate_series(${lastId + 1}, ${(lastId += rows)}) AS n`;
  await run(`INSERT INTO duework.job_runs (id, queue, job_type, job_version, priority, run_at, payload, max_attempts)
    SELECT n, CASE WHEN n % 2 = 0 THEN 'default' ELSE 'slow' END, ${TYPES}, 1, 5, now() - interval '1 hour' + n * interval '1 millisecond', '{"n":1}', 10 FROM ${ids}`);
  await run(`UPDATE duework.job_runs SET status = 'failed', run_at = now() + interval '1 hour', attempts = 1, fence = 1, failed_at = now(), error_code = 'x', last_error = 'x'
    WHERE id % 100 = 7`);
  await run(`UPDATE duework.job_runs SET status = 'running', attempts = 1, fence = 1, locked_by = 'w', locked_until = now() + interval '1 hour', claimed_at = now()
    WHERE id % 100 <> 7 AND id <= 200`);
}

/** Runs that succeeded, on today and the days that there are partitions for. */
async function addFinished(rows: number): Promise<void> {
  await run(`INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, attempts, max_attempts, fence, worker, claimed_at,
      failed_at, error_code, last_error, cancel_requested_at, created_at, finished_at)
    SELECT n, 'default', ${TYPES}, 1, CASE WHEN n % 1000 = 3 THEN 'dead' WHEN n % 1000 = 4 THEN 'cancelled' ELSE 'succeeded' END, 5, now(), '{"n":1}', 1, 3, 1, 'w', now(),
      now(), 'x', 'x', now(), now(), now() + (n % 5) * interval '1 day' FROM generate_series(${lastId + 1}, ${(lastId += rows)}) AS n`);
}

const FILTERS: Omit<JobFilter, 'limit'>[] = [undefined, ...STATUSES].flatMap((status) =>
  [undefined, 'rare', 'nobody'].flatMap((type) => [undefined, 'slow'].map((queue) => ({ status, type, queue }))),
);

/** The most that a page of any filter touches, and which filter's. */
async function measure(): Promise<{ buffers: number; filter: string }[]> {
  const engine = database.connectPg({ poolSize: 1 });
  const measured = [];
  for (const filter of FILTERS) {
    const count = () =>
      countBuffers(engine, (spy) => listJobs(spy, { ...filter, limit: 50 }), { job: null, next: null });
    // the least: the first plans and reads the catalog, and autovacuum makes later ones do so anew
    const counts = [];
    for (let turn = 0; turn < 4; turn++) counts.push(await count());
    measured.push({ buffers: Math.min(...counts), filter: JSON.stringify(filter) });
  }
  return measured;
}

const depthBuffers = () => {
  const engine = database.connectPg({ poolSize: 1 });
  return countBuffers(engine, (spy) => readQueueDepth(spy), {});
};

describe('the cost of what people read does not grow with the tables:', () => {
  let small: { buffers: number; filter: string }[];
  let large: { buffers: number; filter: string }[];
  let depths: number[];

  beforeAll(async () => {
    await run('ALTER TABLE duework.job_runs SET (autovacuum_enabled = off)');
    await addFinished(50_000);
    await addLive(25_000);
    small = await measure();
    depths = [await depthBuffers()];
    await addFinished(150_000);
    await addLive(50_000);
    large = await measure();
    depths.push(await depthBuffers());
  });

  test('a list by status, type, queue or their combinations costs one page, beside 50,000 finished runs as beside 200,000', () => {
    // 5,000 rows, a few dozen of which share a page, and an index entry for each
    for (const { buffers, filter } of large)
      expect({ filter, isBounded: buffers < 6_000 }).toEqual({ filter, isBounded: true });
    const growth = large.map(({ buffers }, index) => buffers / (small[index]!.buffers + 200));
    expect(Math.max(...growth)).toBeLessThan(2);
  });

  test('a list costs the same whatever the statistics say', async () => {
    await run('ANALYZE duework.job_runs');
    await run('ANALYZE duework.job_history');
    for (const { buffers, filter } of await measure())
      expect({ filter, isBounded: buffers < 6_000 }).toEqual({ filter, isBounded: true });
  });

  test('queue depths are counted up to a limit, beyond which they say "at least"', async () => {
    expect(depths[1]! / depths[0]!).toBeLessThan(1.5);
    const depth = await readQueueDepth(database.db);
    for (const queue of ['default', 'slow'])
      expect(depth.find(({ queue: name, type }) => name === queue && type === 'common')).toMatchObject({
        isAtLeast: true,
      });
    // and what runs is among the first of its queue
    const running = await database.db.jobRun.count({ where: { status: 'running' } });
    expect(depth.reduce((total, row) => total + row.running, 0)).toBe(running);
  });

  test.each(FILTERS.filter(({ type }) => type === 'rare'))('short pages lead to every run of %j', async (filter) => {
    const { status, type, queue } = filter;
    const [row] = await database.db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM duework.jobs
      WHERE (${status ?? null}::text IS NULL OR status = ${status ?? null}) AND job_type = 'rare' AND (${queue ?? null}::text IS NULL OR queue = ${queue ?? null})`;
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await findJobs(database.db, { status, type, queue, cursor, limit: 200 });
      for (const { id } of page.jobs) seen.add(id);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen.size).toBe(row!.count);
  });
});
