import { beforeEach, describe, expect, test } from '@jest/globals';
import { enqueueMany, enqueue, jobRequest } from './enqueue.js';
import { cancelJob, findJobs, getJob } from './operate.js';
import { completeRuns } from './sql/complete-runs.js';
import { buryRuns } from './sql/bury-runs.js';
import { raiseAlerts } from './sql/raise-alerts.js';
import { readQueueDepth } from './sql/read-queue-depth.js';
import { registerDefinitions } from './sql/register-definitions.js';
import { retainHistory } from './sql/retain-history.js';
import { claim } from './testing/claim-one.js';
import { charge, echo, testCatalog } from './testing/test-contracts.js';
import { useTestDatabase } from './testing/use-test-database.js';

const database = useTestDatabase();

beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.job_history, duework.job_attempts, duework.job_keys, duework.job_alerts`;
});

async function bury(count: number): Promise<void> {
  await enqueueMany(database.db, Array.from({ length: count }, (_, n) => jobRequest(echo, { n })));
  const runs = await claim(database.db, count);
  await buryRuns(database.db, runs.map(({ id, fence }) => ({ id, fence, code: 'boom', error_type: 'Error', message: 'broke', stack: null, stop_code: null, stop_rung: null })));
}

describe('lists', () => {
  test('a list walks through every job once, live or finished, newest first, while new ones arrive', async () => {
    const jobs = await enqueueMany(database.db, Array.from({ length: 25 }, (_, n) => jobRequest(echo, { n })));
    const runs = await claim(database.db, 10);
    await completeRuns(database.db, runs.map(({ id, fence }) => ({ id, fence, result: null })));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await findJobs(database.db, { limit: 7, cursor });
      seen.push(...page.jobs.map((job) => job.id));
      cursor = page.nextCursor ?? undefined;
      await enqueue(database.db, echo, { n: 99 });
    } while (cursor !== undefined);
    expect(seen).toEqual(jobs.map((job) => job.id).reverse());
  });

  test('a list is of one status, of one type, or of both', async () => {
    await bury(2);
    await enqueueMany(database.db, [jobRequest(echo, { n: 1 }), jobRequest(charge, { invoice: 1 })]);
    const count = async (filter: Parameters<typeof findJobs>[1]): Promise<number> => (await findJobs(database.db, filter)).jobs.length;
    expect(await count({ status: 'dead' })).toBe(2);
    expect(await count({ status: 'queued' })).toBe(2);
    expect(await count({ type: 'echo' })).toBe(3);
    expect(await count({ status: 'queued', type: 'charge' })).toBe(1);
    expect(await count({ status: 'running' })).toBe(0);
  });

  test.each([{ cursor: 'x' }, { cursor: '' }, { limit: 0 }, { limit: 201 }, { limit: 1.5 }])('%j is refused', async (filter) => {
    await expect(findJobs(database.db, filter)).rejects.toMatchObject({ code: expect.stringMatching(/^invalid_(cursor|option)$/) });
  });
});

describe('views', () => {
  const view = <T>(name: string): Promise<T[]> => {
    const { Prisma } = prisma;
    return database.db.$queryRaw<T[]>(Prisma.raw(`SELECT * FROM duework.${name}`));
  };
  let prisma: typeof import('@duework/database');
  beforeEach(async () => {
    prisma = await import('@duework/database');
  });

  test('jobs shows live and finished runs as one table', async () => {
    await bury(1);
    await enqueue(database.db, echo, { n: 1 });
    expect((await view<{ status: string }>('jobs')).map((job) => job.status).sort()).toEqual(['dead', 'queued']);
  });

  test('dead_jobs shows what was given up, and why', async () => {
    await bury(2);
    expect(await view('dead_jobs')).toMatchObject([{ error_code: 'boom', last_error: 'broke' }, { error_code: 'boom' }]);
  });

  test('stuck_jobs shows what runs on an expired lease or for longer than its definition allows', async () => {
    await registerDefinitions(database.db, testCatalog);
    await enqueueMany(database.db, [1, 2, 3].map((n) => jobRequest(echo, { n })));
    const [expired, overlong] = await claim(database.db, 3);
    await database.db.$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 s' WHERE id = ${BigInt(expired!.id)}`;
    await database.db.$executeRaw`UPDATE duework.job_runs SET claimed_at = now() - interval '2 min', locked_until = now() + interval '1 min' WHERE id = ${BigInt(overlong!.id)}`;
    const stuck = await view<{ id: bigint; is_lease_expired: boolean }>('stuck_jobs');
    expect(stuck.map((job) => [String(job.id), job.is_lease_expired]).sort()).toEqual([[expired!.id, true], [overlong!.id, false]].sort());
  });

  test('queue_depth counts what is due, scheduled, retrying and running, with the age of the oldest', async () => {
    await enqueueMany(database.db, [jobRequest(echo, { n: 1 }), jobRequest(echo, { n: 2 }, { runAt: new Date(Date.now() - 90_000) }), jobRequest(echo, { n: 3 }, { delay: '1h' })]);
    expect(await readQueueDepth(database.db)).toEqual([
      { queue: 'default', type: 'echo', due: 2, scheduled: 1, retrying: 0, running: 0, oldestWaitingSeconds: expect.any(Number) },
    ]);
    expect((await readQueueDepth(database.db))[0]!.oldestWaitingSeconds).toBeGreaterThan(80);
    await claim(database.db, 5);
    expect(await readQueueDepth(database.db)).toMatchObject([{ due: 0, running: 2, oldestWaitingSeconds: 0 }]);
  });

  test('last_runs answers when each definition last ran, and how it ended', async () => {
    await registerDefinitions(database.db, testCatalog);
    await bury(1);
    const rows = await view<{ job_type: string; status: string | null }>('last_runs');
    expect(rows.map(({ job_type, status }) => ({ job_type, status })).sort((a, b) => a.job_type.localeCompare(b.job_type))).toEqual([
      { job_type: 'charge', status: null },
      { job_type: 'echo', status: 'dead' },
    ]);
  });
});

describe('alerts', () => {
  const limits = { maxDeadPerHour: 2, maxWaitingSeconds: 60 };

  test('more dead runs within an hour than allowed raise one alert, told by one worker, once an hour', async () => {
    await bury(2);
    expect(await raiseAlerts(database.db, limits)).toEqual([]);
    await bury(1);
    const watchers = Array.from({ length: 5 }, () => database.connect({ poolSize: 1 }));
    const raised = (await Promise.all(watchers.map((db) => raiseAlerts(db, limits)))).flat();
    expect(raised).toEqual([{ name: 'too_many_dead_jobs', facts: { deadInTheLastHour: 3, limit: 2 } }]);
    expect(await raiseAlerts(database.db, limits)).toEqual([]);
    await database.db.$executeRaw`UPDATE duework.job_alerts SET raised_at = now() - interval '61 min'`;
    expect(await raiseAlerts(database.db, limits)).toHaveLength(1);
  });

  test('a run that waits for too long raises an alert', async () => {
    await enqueue(database.db, echo, { n: 1 }, { runAt: new Date(Date.now() - 120_000) });
    expect(await raiseAlerts(database.db, limits)).toMatchObject([{ name: 'oldest_job_waits_too_long', facts: { limit: 60 } }]);
  });
});

describe('retention', () => {
  test('history goes with its keys, and a key whose run still waits stays', async () => {
    const [old, waiting] = await enqueueMany(database.db, [jobRequest(charge, { invoice: 1 }), jobRequest(charge, { invoice: 2 }, { delay: '7d' })]);
    await cancelJob(database.db, old!.id);
    await database.db.$executeRaw`UPDATE duework.job_history SET finished_at = now() - interval '40 days'`;
    await database.db.$executeRaw`UPDATE duework.job_keys SET created_at = now() - interval '50 days'`;
    await retainHistory(database.db, 30);
    await expect(getJob(database.db, old!.id)).rejects.toMatchObject({ code: 'job_not_found' });
    expect(await enqueue(database.db, charge, { invoice: 1 })).toMatchObject({ isDeduplicated: false });
    expect(await enqueue(database.db, charge, { invoice: 2 })).toMatchObject({ id: waiting!.id, isDeduplicated: true });
  });

  test('what is younger stays', async () => {
    const { id } = await enqueue(database.db, charge, { invoice: 3 });
    await cancelJob(database.db, id);
    await retainHistory(database.db, 1);
    expect((await getJob(database.db, id)).job.status).toBe('cancelled');
  });
});

describe('definitions', () => {
  test('while old and new workers run side by side, the newer contract stays', async () => {
    const newer = { ...echo, version: 2, maxAttempts: 7 };
    await registerDefinitions(database.db, [newer]);
    expect(await registerDefinitions(database.db, [{ ...echo, version: 1 }])).toEqual([]);
    expect(await database.db.jobDefinition.findUnique({ where: { type: 'echo' } })).toMatchObject({ version: 2, maxAttempts: 7 });
  });
});
