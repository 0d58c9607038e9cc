import { defineCatalog, defineJob } from '@duework/contracts';
import { parseDatabaseUrl } from '@duework/database';
import { afterEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { startTestWorker, type EventRecord } from '@duework/testing';
import { useTestDatabase } from '@duework/testing/fixtures';
import type { Worker } from '../worker/create-worker.js';
import { enqueue } from '../enqueue/enqueue.js';
import { getJob, retryJob } from '../queue/operate.js';
import type { Heartbeat } from '../leases/heartbeat.js';
import { heartbeatInThread } from '../leases/heartbeat-in-thread.js';

const database = useTestDatabase();
const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

const v1 = z.object({ to: z.string() });
const before = defineJob({ type: 'mail', payload: v1, maxAttempts: 3, idempotencyKey: ({ to }) => `mail:${to}` });
const today = defineJob({
  type: 'mail',
  version: 2,
  payload: z.object({ recipients: z.array(z.string()).max(2) }),
  idempotencyKey: ({ recipients }) => `mail:${recipients.join()}`,
  past: {
    1: {
      payload: v1,
      lift: ({ to }) => {
        if (to === 'nobody') throw new RangeError('secret');
        return { recipients: to.split('&') };
      },
    },
  },
});
const catalog = defineCatalog([today]);

async function start(more: { leases?: Heartbeat } = {}): Promise<{ events: EventRecord; got: unknown[] }> {
  const got: unknown[] = [];
  const { worker, events } = await startTestWorker<typeof catalog>(database.db, {
    ...more,
    catalog,
    handlers: { mail: ({ payload, run }) => void got.push([run.version, payload]) },
  });
  workers.push(worker);
  return { events, got };
}
const jobOf = async (id: string) => (await getJob(database.db, id)).job;

test('a handler gets today’s payload, whatever version the run was stored with; the run keeps what it was', async () => {
  const { id } = await enqueue(database.db, before, { to: 'ada&bob' });
  await enqueue(database.db, today, { recipients: ['eve'] });
  const { events, got } = await start();
  await Promise.race([events.waitFor('job.succeeded', 2), events.waitFor('job.dead')]);
  expect(got).toEqual([
    [1, { recipients: ['ada', 'bob'] }],
    [2, { recipients: ['eve'] }],
  ]);
  expect(await jobOf(id)).toMatchObject({ version: 1, payload: { to: 'ada&bob' }, status: 'succeeded' });
});

test.each<[string, string, RegExp]>([
  ['a step throws', 'nobody', /^version 1, lifted from 1 to 2: the step threw RangeError$/],
  ['today’s schema refuses what a step returns', 'a&b&secret', /^version 1, lifted from 1 to 2: \/recipients /],
])('a run is dead where %s, and its error names the version and the step, and no value', async (_, to, why) => {
  const { id } = await enqueue(database.db, before, { to });
  const { events, got } = await start();
  await Promise.race([events.waitFor('job.dead'), events.waitFor('job.succeeded')]);
  expect(got).toEqual([]);
  const { lastError, ...job } = await jobOf(id);
  expect(job).toMatchObject({ status: 'dead', errorCode: 'invalid_payload', attempts: 1 });
  expect(lastError).toMatch(why);
  expect(lastError).not.toContain('secret');
});

test('wake-ups choose among workers that read the same versions', async () => {
  await start({ leases: heartbeatInThread({ ...parseDatabaseUrl(database.url), catalog }) });
  const groups = await database.db.$queryRaw`
    SELECT l.objid = hashtext('default mail 1-2')::oid AS "isOfTheseVersions"
    FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
    WHERE l.classid = hashtext('duework.listeners')::oid AND d.datname = current_database()`;
  expect(groups).toEqual([{ isOfTheseVersions: true }]);
});

test('what a worker can run is on record while it lives, and not when it has stopped', async () => {
  const { worker } = await startTestWorker<typeof catalog>(database.db, { catalog, handlers: { mail: () => {} } });
  const find = () => database.db.workerContracts.findUnique({ where: { worker: worker.name } });
  while ((await find()) === null);
  expect(await find()).toMatchObject({ queues: ['default'], contracts: { mail: [1, 2] } });
  await worker.stop({ deadlineMs: 0 });
  expect(await find()).toBeNull();
});

test('a run that was dead is read by its own version when it is retried', async () => {
  const { id } = await enqueue(database.db, before, { to: 'grace' });
  await database.db.$executeRaw`
    WITH r AS (DELETE FROM duework.job_runs WHERE id = ${id}::bigint RETURNING *)
    INSERT INTO duework.job_history (id, queue, job_type, job_version, status, priority, run_at, payload, idempotency_key, attempts, max_attempts,
      fence, failed_at, error_code, last_error, created_at, finished_at)
    SELECT id, queue, job_type, job_version, 'dead', priority, run_at, payload, idempotency_key, 1, max_attempts, 1, now(), 'x', 'x', created_at, now() FROM r`;
  const { events, got } = await start();
  await retryJob(database.db, id);
  await events.waitFor('job.succeeded');
  expect(got).toEqual([[1, { recipients: ['grace'] }]]);
});
