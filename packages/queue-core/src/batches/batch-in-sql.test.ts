import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { startTestWorker } from '@duework/testing';
import { untilJob, useTestDatabase } from '@duework/testing/fixtures';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { jobRequest } from '../enqueue/job-request.js';
import { bury } from '../settle/outcome.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { addToBatch, enqueueBatch, getBatch } from './enqueue-batch.js';

const payload = z.object({ n: z.int() });
const part = defineJob({ type: 'part', payload, retry: fixed('1ms'), maxAttempts: 1 });
const keyed = defineJob({
  type: 'keyed',
  payload,
  queue: 'other',
  priority: 2,
  idempotencyKey: ({ n }) => `k${n}`,
  expiresAfter: '1h',
  limits: [{ max: 3, by: 'n' }],
});
const told = defineJob({ type: 'told', payload: z.object({ batch: z.string() }) });
const single = defineJob({ type: 'single', payload, unique: { by: 'n', onConflict: 'replace' } });
const catalog = defineCatalog([part, keyed, told, single]);

const database = useTestDatabase();
let session: pg.Client;
beforeAll(() => registerDefinitions(database.db, catalog));
beforeEach(async () => {
  session = new pg.Client({ connectionString: database.url });
  await session.connect();
  await session.query('TRUNCATE duework.job_runs, duework.job_keys, duework.job_batches, duework.job_batch_jobs');
});
afterEach(() => session.end());

/** Sends one text without parameters, as psql does. */
async function begin(args: string): Promise<string> {
  const { rows } = await session.query<{ id: string }>(`SELECT duework.begin_batch(${args}) AS id`);
  return rows[0]!.id;
}
const json = (value: unknown): string => `'${JSON.stringify(value)}'`;
const PART = { type: 'part', payload: { n: 1 } };

/** Everything that was written, without ids and moments. */
async function written(id: string): Promise<unknown> {
  const { rows } = await session.query<{ all: unknown }>(
    `SELECT jsonb_build_object(
      'batch', (SELECT to_jsonb(b) - '{id,created_at}'::text[] FROM duework.job_batches b WHERE b.id = $1),
      'runs', (SELECT jsonb_agg(to_jsonb(r) - '{id,run_at,created_at,terms}'::text[] || jsonb_build_object('terms', r.terms - '{batch,expiresAt}'::text[],
          'of', r.terms ->> 'batch' = $1, 'in', round(extract(epoch FROM r.run_at - r.created_at)),
          'expires', r.terms ? 'expiresAt', 'listed', EXISTS (SELECT FROM duework.job_batch_jobs j WHERE j.batch_id = $1 AND j.run_id = r.id))
        ORDER BY r.id) FROM duework.job_runs r),
      'keys', (SELECT jsonb_agg(k.key ORDER BY k.key) FROM duework.job_keys k)) AS all`,
    [id],
  );
  return JSON.parse(JSON.stringify(rows[0]!.all).replaceAll(id, 'the batch'));
}

test('duework.begin_batch writes what enqueueBatch writes', async () => {
  const inSql = await begin(`${json([
    PART,
    { type: 'part', payload: { n: 2 }, priority: 9, max_attempts: 7, delay: '2 hours', meta: { a: 'é' } },
    { type: 'keyed', payload: { n: 3 }, idempotency_key: 'k3', version: 1 },
    { type: 'keyed', payload: { n: 3 }, idempotency_key: 'k3' },
  ])}, 'invoices', on_settled => ${json({ type: 'told', payload: { batch: 'mine' } })},
    on_first_dead => ${json({ type: 'part', payload: { n: 9 }, delay: '1 minute', priority: 0 })}, id => 'mine'`);
  expect(inSql).toBe('mine');
  const first = await written('mine');
  expect(await getBatch(database.db, 'mine')).toMatchObject({ name: 'invoices', jobs: 3, open: 3 });
  await session.query('TRUNCATE duework.job_runs, duework.job_keys, duework.job_batches, duework.job_batch_jobs');
  const { id } = await enqueueBatch(database.db, {
    name: 'invoices',
    jobs: [
      jobRequest(part, { n: 1 }),
      jobRequest(part, { n: 2 }, { priority: 9, maxAttempts: 7, delay: '2h', meta: { a: 'é' } }),
      jobRequest(keyed, { n: 3 }),
      jobRequest(keyed, { n: 3 }),
    ],
    onSettled: (batch) => jobRequest(told, { batch }),
    onFirstDead: jobRequest(part, { n: 9 }, { delay: '1m', priority: 0 }),
  });
  expect(first).toEqual(await written(id));
});

test('its callbacks are enqueued, each once, by whoever ends its jobs, and jobs are added to it as to any other', async () => {
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: {
      part: ({ payload: { n } }) => (n === 13 ? bury('unlucky', 'no') : undefined),
      keyed: () => {},
      told: () => {},
      single: () => {},
    },
  });
  const tell = (batch: string) => json({ type: 'told', payload: { batch } });
  const jobs = json([PART, { type: 'part', payload: { n: 13 } }, { ...PART, delay: '1 day' }]);
  const id = await begin(
    `${jobs}, on_settled => ${tell('s')}, on_succeeded => ${tell('ok')}, on_first_dead => ${tell('d')}`,
  );
  await addToBatch(database.db, id, [jobRequest(part, { n: 2 })]);
  await events.waitFor('job.succeeded', 3);
  expect(await getBatch(database.db, id)).toMatchObject({
    jobs: 4,
    open: 1,
    dead: 1,
    callbacks: { onSettled: null, onSucceeded: null, onFirstDead: expect.any(String) },
  });
  const none = await begin(`'[]', on_succeeded => ${tell('none')}`);
  const { callbacks } = await getBatch(database.db, none);
  expect(await untilJob(database.db, callbacks.onSucceeded!)).toMatchObject({ status: 'succeeded' });
  await worker.stop({ deadlineMs: 0 });
});

test('a transaction that is rolled back leaves neither batch nor job', async () => {
  await session.query('BEGIN');
  const id = await begin(json([PART]));
  await session.query('ROLLBACK');
  await expect(getBatch(database.db, id)).rejects.toMatchObject({ code: 'batch_not_found' });
  expect(await database.db.jobRun.count()).toBe(0);
});

test('10,000 jobs of many kinds are begun in a statement', async () => {
  const id = await begin(
    `(SELECT jsonb_agg(jsonb_build_object('type', 'part', 'payload', jsonb_build_object('n', n), 'priority', n % 10))
      FROM generate_series(1, 10000) AS n)`,
  );
  expect(await getBatch(database.db, id)).toMatchObject({ jobs: 10_000, open: 10_000 });
});

describe('duework.begin_batch refuses', () => {
  const NOT_A_BATCH = 'A batch has a JSON array of jobs, a name of at most 200 characters, and an id of 1 to 64.';
  test.each([
    [json([PART, { type: 'nobody' }]), '22W01', 'There is no job type "nobody".'],
    [json([PART, { type: 'part' }]), '22W02', 'A part needs a payload'],
    [json([{ type: 'keyed', payload: { n: 1 } }]), '22W05', 'its contract makes in its own code'],
    [json([{ ...PART, priority: 10 }]), '22W06', 'priority is a whole number from 0 (first) to 9 (last), not 10.'],
    [
      json([PART, { ...PART, prio: 1 }]),
      '22W06',
      'jobs[1] is an object with the options of duework.enqueue, and has no "prio".',
    ],
    [json([PART, 7]), '22W06', 'jobs[1] is an object with the options of duework.enqueue.'],
    [json([{ ...PART, version: 3 }]), '22W07', 'version 3 of part; 1 to 1 are known'],
    [
      json([{ type: 'single', payload: { n: 1 }, idempotency_key: '1' }]),
      '22W06',
      'jobs[0] is of a type whose contract has no rule of uniqueness, not of single.',
    ],
    [`${json([PART])}, on_settled => ${json({ type: 'nobody' })}`, '22W01', 'There is no job type "nobody".'],
    [
      `${json([PART])}, on_first_dead => ${json({ type: 'single', payload: {}, idempotency_key: '1' })}`,
      '22W06',
      'on_first_dead is of a type',
    ],
    [`'{}'`, '22W06', NOT_A_BATCH],
    ['NULL', '22W06', NOT_A_BATCH],
    [`'[]', repeat('x', 201)`, '22W06', NOT_A_BATCH],
    [`'[]', id => ''`, '22W06', NOT_A_BATCH],
  ])('%s: %s', async (args, code, message) => {
    const refused = await begin(args).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(await database.db.jobRun.count()).toBe(0);
    expect(await database.db.jobBatch.count()).toBe(0);
  });
});
