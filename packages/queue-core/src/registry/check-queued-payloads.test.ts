import { defineCatalog, defineJob } from '@duework/contracts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { countBuffers, useTestDatabase } from '@duework/testing/fixtures';
import { checkQueuedPayloads } from './check-queued-payloads.js';
import { enqueueMany } from '../enqueue/enqueue.js';
import { jobRequest } from '../enqueue/job-request.js';
import { readPayloadBatch } from '../sql/registry/read-payload-batch.js';

const database = useTestDatabase();
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs`;
});

const v1 = z.object({ to: z.string(), items: z.array(z.object({ n: z.unknown() })).default([]) });
const before = defineJob({ type: 'mail', payload: v1 });
const v2 = z.object({
  to: z.email({ error: ({ input }) => `${String(input)} is no address` }),
  items: z.array(z.object({ n: z.int() })),
});
const today = defineJob({
  type: 'mail',
  version: 2,
  payload: v2,
  past: { 1: { payload: v1, lift: (p) => p as never } },
});
const newer = defineJob({ type: 'mail', version: 3, payload: v2, past: {} });
const other = defineJob({ type: 'letter', payload: z.object({}) });
const catalog = defineCatalog([today]);

describe('each payload that waits is parsed by the new code', () => {
  test('and told by type, version and reason, which never names a value', async () => {
    await enqueueMany(database.db, [
      jobRequest(before, { to: 'ada@example.com' }),
      jobRequest(before, { to: 'secret one' }),
      jobRequest(before, { to: 'secret two' }),
      jobRequest(before, { to: 'ada@example.com', items: [{ n: 1 }, { n: 'secret' }] }),
      jobRequest(today, { to: 'bob@example.com', items: [] }),
      jobRequest(newer, { to: 'bob@example.com', items: [] }),
      jobRequest(other, {}),
    ]);
    const groups = await checkQueuedPayloads(database.db, catalog);
    expect(groups).toEqual([
      {
        stored: 'runs',
        type: 'letter',
        version: 1,
        state: 'unknown_type',
        waiting: 1,
        wouldParse: 0,
        wouldNot: 0,
        sealed: 0,
        reasons: [],
      },
      {
        stored: 'runs',
        type: 'mail',
        version: 1,
        state: 'read',
        waiting: 4,
        wouldParse: 1,
        wouldNot: 3,
        sealed: 0,
        reasons: [
          { reason: 'version 1, lifted from 1 to 2: /to … is no address', count: 2 },
          { reason: expect.stringMatching(/^version 1, lifted from 1 to 2: \/items\/\*\/n Invalid input/), count: 1 },
        ],
      },
      {
        stored: 'runs',
        type: 'mail',
        version: 2,
        state: 'read',
        waiting: 1,
        wouldParse: 1,
        wouldNot: 0,
        sealed: 0,
        reasons: [],
      },
      {
        stored: 'runs',
        type: 'mail',
        version: 3,
        state: 'newer_version',
        waiting: 1,
        wouldParse: 0,
        wouldNot: 0,
        sealed: 0,
        reasons: [],
      },
    ]);
    expect(JSON.stringify(groups)).not.toMatch(/secret|example/);
    expect(await checkQueuedPayloads(database.db, defineCatalog([newer]))).toContainEqual(
      expect.objectContaining({ type: 'mail', version: 1, state: 'older_version', waiting: 4 }),
    );
  });

  test('batch by batch, every one once, and nothing is written', async () => {
    await database.db.$executeRaw`
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
      SELECT 'default', 'mail', 2, 5, now(), '{"to": "a@b.co", "items": []}', 3 FROM generate_series(1, 4500)`;
    // large ones are read by fewer at a time
    await database.db.$executeRaw`
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
      SELECT 'default', 'mail', 2, 5, now(), jsonb_build_object('to', string_agg(md5(random()::text || i), ''), 'items', '[]'::jsonb), 3
      FROM generate_series(1, 8) AS n, generate_series(1, 31250) AS i GROUP BY n`;
    const progress: number[] = [];
    const sizes = await database.db
      .$queryRaw`SELECT count(*)::int AS runs, max(xmin::text::bigint)::text AS xmin FROM duework.job_runs`;
    const groups = await checkQueuedPayloads(database.db, catalog, {
      onProgress: ({ checked }) => progress.push(checked),
    });
    expect(groups).toMatchObject([{ waiting: 4_508, wouldParse: 4_500, wouldNot: 8 }]);
    expect(progress.slice(0, 2)).toEqual([2_000, 4_000]);
    expect(progress.length).toBeGreaterThan(3);
    expect(
      await database.db
        .$queryRaw`SELECT count(*)::int AS runs, max(xmin::text::bigint)::text AS xmin FROM duework.job_runs`,
    ).toEqual(sizes);
  });

  test('along the ids, whatever the planner believes: no batch looks at what others read', async () => {
    await database.db.$executeRaw`
      INSERT INTO duework.job_runs (queue, job_type, job_version, priority, run_at, payload, max_attempts)
      SELECT 'default', 'mail', 2, 5, now(), '{}', 3 FROM generate_series(1, 20000)`;
    const [{ id }] = await database.db.$queryRaw<[{ id: string }]>`SELECT min(id)::text AS id FROM duework.job_runs`;
    const buffers = await countBuffers(database.db, (spy) => readPayloadBatch(spy, id, '9223372036854775807'), {
      runs: '[]',
    });
    expect(buffers).toBeLessThan(500);
  });

  test('until it is told to end', async () => {
    await enqueueMany(database.db, [jobRequest(before, { to: 'x' })]);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(checkQueuedPayloads(database.db, catalog, { signal })).rejects.toThrow('enough');
    expect(await checkQueuedPayloads(database.db, catalog)).toHaveLength(1);
  });

  test('a few reasons are kept, however many there are', async () => {
    const odd = defineJob({
      type: 'odd',
      payload: z.string().refine(() => false, { error: () => `rule ${Math.random()}` }),
    });
    const free = defineJob({ type: 'odd', payload: z.string() });
    await enqueueMany(
      database.db,
      Array.from({ length: 50 }, (_, i) => jobRequest(free, `text ${i}`)),
    );
    const [group] = await checkQueuedPayloads(database.db, [odd]);
    expect(group!.reasons).toHaveLength(21);
    expect(group!.reasons[0]).toEqual({ reason: 'other reasons', count: 30 });
  });
});
