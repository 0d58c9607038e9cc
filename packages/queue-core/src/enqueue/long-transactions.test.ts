import { defineCatalog, defineJob } from '@duework/contracts';
import { queryRows, sql } from '@duework/sql';
import { useTestDatabase } from '@duework/testing/fixtures';
import { beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { enqueueBatch } from '../batches/enqueue-batch.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { enqueue, enqueueMany } from './enqueue.js';
import { jobRequest } from './job-request.js';

const database = useTestDatabase();
const payload = z.object({ text: z.string() });
const plain = defineJob({ type: 'plain', payload });
const quick = defineJob({ type: 'quick', payload, expiresAfter: '1h', retryFor: '2h' });
const keyed = defineJob({ type: 'keyed', payload, idempotencyKey: ({ text }) => text, idempotencyWindow: '1h' });
const debounced = defineJob({ type: 'debounced', payload, unique: { by: 'text', onConflict: 'replace' } });
beforeAll(() => registerDefinitions(database.db, defineCatalog([plain, quick, keyed, debounced])));

test('delays, expiries and windows count from the enqueue, however long before its transaction has begun', async () => {
  const rows = await database.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM pg_sleep(2)`;
    const job = { text: 'a' };
    await enqueue(tx, plain, job, { delay: '1h' });
    await enqueueMany(tx, [jobRequest(plain, job, { delay: '1h' }), jobRequest(quick, job), jobRequest(keyed, job)]);
    await enqueue(tx, quick, job);
    await enqueue(tx, keyed, { text: 'b' });
    await enqueue(tx, debounced, job, { delay: '1h' });
    await tx.$queryRaw`SELECT id::text FROM duework.enqueue('plain', '{"text": "a"}', delay => interval '1 hour')`;
    await tx.$queryRaw`SELECT id::text FROM duework.enqueue('quick', '{"text": "a"}')`;
    return queryRows<{ what: string; seconds: number }>(
      tx,
      sql`
      SELECT job_type AS what, extract(epoch FROM coalesce(
          (terms ->> 'expiresAt')::timestamptz, (terms ->> 'retryUntil')::timestamptz - interval '1 hour', run_at
        ) - now())::float8 AS seconds
      FROM duework.job_runs WHERE job_type <> 'keyed'
      UNION ALL
      SELECT 'window', extract(epoch FROM expires_at - now())::float8 FROM duework.job_keys WHERE job_type = 'keyed'`,
    );
  });
  expect(rows).toHaveLength(9);
  for (const { what, seconds } of rows) expect([what, seconds >= 3_602]).toEqual([what, true]);
});

test('what is due at once is due in its transaction', async () => {
  const [row] = await database.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM pg_sleep(0.1)`;
    const { id } = await enqueue(tx, plain, { text: 'a' });
    return tx.$queryRaw<
      [{ is_due: boolean }]
    >`SELECT run_at <= now() AS is_due FROM duework.job_runs WHERE id = ${BigInt(id)}`;
  });
  expect(row.is_due).toBe(true);
});

test('more than one statement can carry is written by several of one transaction', async () => {
  const large = jobRequest(plain, { text: 'x'.repeat(60_000) });
  const jobs = Array.from({ length: 5_000 }, () => large);
  const count = async (): Promise<number> => database.db.jobRun.count({ where: { jobType: 'plain' } });
  const before = await count();
  const { id, jobs: made } = await enqueueBatch(database.db, { jobs });
  expect(new Set(made.map((job) => job.id)).size).toBe(5_000);
  const [batch] = await queryRows<{ n: number }>(
    database.db,
    sql`SELECT count(*)::int4 AS n FROM duework.job_batch_jobs WHERE batch_id = ${id}::text`,
  );
  expect([await count(), batch!.n]).toEqual([before + 5_000, 5_000]);
  const refused = enqueueMany(database.db, [...jobs.slice(0, 2_500), jobRequest(plain, { text: 1 } as never)]);
  await expect(refused).rejects.toMatchObject({ code: 'invalid_payload' });
  expect(await count()).toBe(before + 5_000);
});
