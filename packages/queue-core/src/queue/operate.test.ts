import { Prisma } from '@duework/database';
import type { Queryable } from '@duework/sql';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { enqueueMany, enqueue, jobRequest } from '../enqueue/enqueue.js';
import { buryRuns } from '../sql/settle/bury-runs.js';
import { lookForAlerts } from '../sql/upkeep/look-for-alerts.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { claim, echo, emptyTables, testCatalog, useTestDatabase } from '@duework/testing/fixtures';

const database = useTestDatabase();

beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, job_history, job_attempts, job_keys, job_alerts');
});

async function bury(count: number): Promise<void> {
  await enqueueMany(
    database.db,
    Array.from({ length: count }, (_, n) => jobRequest(echo, { n })),
  );
  const runs = await claim(database.db, count);
  await buryRuns(
    database.db,
    runs.map(({ id, fence }) => ({
      id,
      fence,
      code: 'boom',
      error_type: 'Error',
      message: 'broke',
      stack: null,
      abort_code: null,
      abort_stage: null,
    })),
  );
}

describe('views', () => {
  const view = <T>(name: string): Promise<T[]> =>
    database.db.$queryRaw<T[]>(Prisma.raw(`SELECT * FROM duework.${name}`));

  test('include jobs, which shows live and finished runs as one table', async () => {
    await bury(1);
    await enqueue(database.db, echo, { n: 1 });
    expect((await view<{ status: string }>('jobs')).map((job) => job.status).sort()).toEqual(['dead', 'queued']);
  });

  test('include dead_jobs, which shows the runs that were given up, and why', async () => {
    await bury(2);
    expect(await view('dead_jobs')).toMatchObject([
      { error_code: 'boom', last_error: 'broke' },
      { error_code: 'boom' },
    ]);
  });

  test('include stuck_jobs, which shows runs with an expired lease, or running for longer than their definition allows', async () => {
    await registerDefinitions(database.db, testCatalog);
    await enqueueMany(
      database.db,
      [1, 2, 3].map((n) => jobRequest(echo, { n })),
    );
    const [expired, overlong] = await claim(database.db, 3);
    await database.db
      .$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 s' WHERE id = ${BigInt(expired!.id)}`;
    await database.db
      .$executeRaw`UPDATE duework.job_runs SET claimed_at = now() - interval '16 min', locked_until = now() + interval '1 min' WHERE id = ${BigInt(overlong!.id)}`;
    const stuck = await view<{ id: bigint; is_lease_expired: boolean }>('stuck_jobs');
    expect(stuck.map((job) => [String(job.id), job.is_lease_expired]).sort()).toEqual(
      [
        [expired!.id, true],
        [overlong!.id, false],
      ].sort(),
    );
  });

  test('include last_runs, which shows when each definition last ran, and how it ended', async () => {
    await registerDefinitions(database.db, testCatalog);
    await bury(1);
    const rows = await view<{ job_type: string; status: string | null }>('last_runs');
    expect(
      rows.map(({ job_type, status }) => ({ job_type, status })).sort((a, b) => a.job_type.localeCompare(b.job_type)),
    ).toEqual([
      { job_type: 'charge', status: null },
      { job_type: 'echo', status: 'dead' },
    ]);
  });
});

describe('alerts', () => {
  const limits = { maxDeadPerHour: 2, maxWaitingSeconds: 60, maxHorizonSeconds: 300 };

  test('more dead runs within an hour than allowed raise one alert, told by one worker, once an hour', async () => {
    const look = (db: Queryable = database.db) => lookForAlerts(db, limits, ['webhook']);
    await bury(2);
    expect(await look()).toEqual([]);
    await bury(1);
    const watchers = Array.from({ length: 5 }, () => database.connect({ poolSize: 1 }));
    const raised = (await Promise.all(watchers.map(look))).flat();
    expect(raised).toEqual([
      {
        name: 'too_many_dead_jobs',
        subject: 'echo',
        severity: 'warning',
        status: 'raised',
        facts: { type: 'echo', deadInTheLastHour: 3, limit: 2, error: 'boom' },
        raisedAt: expect.any(Date),
        resolvedAt: null,
        message: 1,
        isFirst: true,
        ways: ['webhook'],
      },
    ]);
    expect(await look()).toEqual([]);
    await database.db.$executeRaw`UPDATE duework.job_alerts SET told_at = now() - interval '61 min', tell_at = now()`;
    const again = (await Promise.all(watchers.map(look))).flat();
    expect(again).toMatchObject([{ status: 'lasts', message: 2, isFirst: true }]);
  });
});

describe('definitions', () => {
  test('include the payload that runs have unless they are given another', async () => {
    await registerDefinitions(database.db, [{ ...echo, version: 2, defaultPayload: { n: 1 } }]);
    expect(await database.db.jobDefinition.findUnique({ where: { type: 'echo' } })).toMatchObject({
      defaultPayload: { n: 1 },
    });
    await registerDefinitions(database.db, [{ ...echo, version: 2 }]);
    expect(await database.db.jobDefinition.findUnique({ where: { type: 'echo' } })).toMatchObject({
      defaultPayload: null,
    });
  });

  test('while old and new workers run side by side, the newer contract stays', async () => {
    const newer = { ...echo, version: 2, maxAttempts: 7 };
    await registerDefinitions(database.db, [newer]);
    expect(await registerDefinitions(database.db, [{ ...echo, version: 1 }])).toEqual([]);
    expect(await database.db.jobDefinition.findUnique({ where: { type: 'echo' } })).toMatchObject({
      version: 2,
      maxAttempts: 7,
    });
  });
});
