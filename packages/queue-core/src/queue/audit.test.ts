import { Prisma } from '@duework/database';
import { charge, claim, echo, useTestDatabase, writeAudit } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { enqueue } from '../enqueue/enqueue.js';
import { acknowledgeJob, cancelJob, freeKey, retryJob } from './operate.js';
import { buryRuns } from '../sql/settle/bury-runs.js';
import { pruneAudit } from '../sql/upkeep/prune-audit.js';

const database = useTestDatabase();
const ANA = { by: 'person:ana@example.org', via: 'api', from: '192.0.2.7', reason: 'the provider is back' } as const;

let lastId = 0n;
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs, duework.job_history, duework.job_attempts, duework.job_keys`;
  lastId = (await database.db.auditEntry.findFirst({ orderBy: { id: 'desc' } }))?.id ?? 0n;
});

/** The entries of the test, oldest first. */
const entries = () => database.db.auditEntry.findMany({ where: { id: { gt: lastId } }, orderBy: { id: 'asc' } });

async function die(contract: typeof echo | typeof charge, payload: object): Promise<string> {
  await enqueue(database.db, contract, payload as never);
  const [run] = await claim(database.db, 1);
  const record = {
    code: 'boom',
    error_type: 'Error',
    message: 'broke',
    stack: null,
    abort_code: null,
    abort_stage: null,
  };
  await buryRuns(database.db, [{ id: run!.id, fence: run!.fence, ...record }]);
  return run!.id;
}

describe('every verb of an operator', () => {
  test('leaves one entry: who, through what, from where, why, and what was before and after', async () => {
    const id = await die(charge, { invoice: 1 });
    await acknowledgeJob(database.db, id, ANA);
    await freeKey(database.db, id, { by: 'key:deploy', via: 'command' });
    await retryJob(database.db, id, ANA);
    await cancelJob(database.db, id);
    const [acknowledged, freed, retried, cancelled, ...others] = await entries();
    expect(others).toEqual([]);
    const moment = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(acknowledged).toMatchObject({
      at: expect.any(Date),
      by: ANA.by,
      via: 'api',
      fromAddress: '192.0.2.7',
      reason: ANA.reason,
      verb: 'acknowledge',
      kind: 'job',
      target: id,
      before: { status: 'dead', acknowledgedAt: null },
      after: { status: 'dead', acknowledgedAt: moment },
    });
    expect(freed).toMatchObject({
      by: 'key:deploy',
      via: 'command',
      fromAddress: null,
      reason: null,
      verb: 'free_key',
      after: { keyFreed: true },
    });
    expect(retried).toMatchObject({
      verb: 'retry',
      target: id,
      before: { status: 'dead', attempts: 1, finishedAt: moment, errorCode: 'boom', acknowledgedAt: moment },
      after: { status: 'queued', attempts: 0, runAt: moment },
    });
    expect(cancelled).toMatchObject({
      by: 'program',
      via: 'program',
      verb: 'cancel',
      before: { status: 'queued', attempts: 0 },
      after: { status: 'cancelled' },
    });
  });

  test('that is refused, or finds all as it was asked for, leaves none', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    await claim(database.db, 1);
    for (const refused of [retryJob, acknowledgeJob, freeKey])
      await expect(refused(database.db, id, ANA)).rejects.toMatchObject({ code: 'transition_not_allowed' });
    await expect(cancelJob(database.db, '999', ANA)).rejects.toMatchObject({ code: 'job_not_found' });
    await expect(cancelJob(database.db, id, { ...ANA, via: 'carrier pigeon' as never })).rejects.toMatchObject({
      code: 'invalid_option',
    });
    await expect(cancelJob(database.db, id, { by: '' })).rejects.toMatchObject({ code: 'invalid_option' });
    expect(await entries()).toEqual([]);
    expect((await database.db.jobRun.findFirstOrThrow()).cancelRequestedAt).toBeNull();
    const dead = await die(echo, { n: 2 });
    await acknowledgeJob(database.db, dead, ANA);
    await acknowledgeJob(database.db, dead, ANA);
    expect(await freeKey(database.db, dead, ANA)).toBe(false);
    expect((await entries()).map(({ verb }) => verb)).toEqual(['acknowledge']);
  });

  test('is undone with its entry when its transaction is', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    const undone = database.db.$transaction(async (tx) => {
      await cancelJob(tx, id, ANA);
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    expect(await entries()).toEqual([]);
    expect(await database.db.jobRun.count()).toBe(1);
  });

  test('asks a running run to cancel, and the entry says that it was asked and not that it is cancelled', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    await claim(database.db, 1);
    expect(await cancelJob(database.db, id, ANA)).toBe('requested');
    expect(await entries()).toMatchObject([
      {
        verb: 'cancel',
        before: { status: 'running' },
        after: { status: 'running', cancelRequestedAt: expect.any(String) },
      },
    ]);
  });
});

test('a retry no longer erases who cancelled, and why', async () => {
  const { id } = await enqueue(database.db, echo, { n: 1 });
  await cancelJob(database.db, id, { by: 'ada', reason: 'wrong order' });
  await retryJob(database.db, id, ANA);
  expect((await database.db.jobRun.findFirstOrThrow()).cancelRequestedBy).toBeNull();
  expect((await entries()).at(-1)).toMatchObject({
    verb: 'retry',
    before: {
      status: 'cancelled',
      cancelRequestedBy: 'ada',
      cancelReason: 'wrong order',
      cancelRequestedAt: expect.any(String),
    },
  });
});

test('no value of a payload, no key that was made of one and no text of an error is in the audit', async () => {
  const id = await die(charge, { invoice: 77_001_234 });
  await acknowledgeJob(database.db, id, ANA);
  await freeKey(database.db, id, ANA);
  await retryJob(database.db, id, ANA);
  await cancelJob(database.db, id, ANA);
  const text = JSON.stringify(await entries(), (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
  expect(text).toContain('boom');
  expect(text).not.toMatch(/77001234|77_001_234|broke/);
});

describe('the audit is only ever added to', () => {
  const refused = { message: expect.stringContaining('The audit is only ever added to') };
  const age = (days: number) => database.db.$executeRaw`
    INSERT INTO duework.audit_entries (at, by, via, verb, kind, target)
    VALUES (now() - ${days}::int * interval '1 day', 'program', 'program', 'retry', 'job', ${`age-${days}`})`;
  const ages = async (): Promise<string[]> =>
    (await entries()).map(({ target }) => target).filter((target) => target.startsWith('age-'));

  test.each([
    [`UPDATE duework.audit_entries SET by = 'somebody else'`],
    ['DELETE FROM duework.audit_entries'],
    ['TRUNCATE duework.audit_entries'],
    [`MERGE INTO duework.audit_entries e USING (SELECT 1) n ON e.id > 0 WHEN MATCHED THEN DELETE`],
  ])('%s is refused', async (statement) => {
    await writeAudit(database.db, ANA, { verb: 'pause', kind: 'queue', target: 'mail' });
    await expect(database.db.$executeRaw(Prisma.raw(statement))).rejects.toMatchObject(refused);
    expect(await entries()).toHaveLength(1);
  });

  test('and retention removes what is older than its days, on a clock of its own', async () => {
    for (const days of [0, 399, 401, 500]) await age(days);
    expect(await pruneAudit(database.db, 400, 1)).toBe(1);
    expect(await ages()).toEqual(['age-0', 'age-399', 'age-401']);
    expect(await pruneAudit(database.db, 400, 10)).toBe(1);
    expect(await ages()).toEqual(['age-0', 'age-399']);
  });

  test('and what is younger than 30 days stays, even for retention and for who sets its setting by hand', async () => {
    for (const days of [0, 29, 31]) await age(days);
    await expect(
      database.db.$transaction(async (tx) => {
        await tx.$executeRaw`SELECT set_config('duework.prunes_audit', 'on', true)`;
        await tx.$executeRaw`DELETE FROM duework.audit_entries`;
      }),
    ).rejects.toMatchObject(refused);
    await pruneAudit(database.db, 1, 100);
    expect(await ages()).toEqual(['age-0', 'age-29']);
  });
});
