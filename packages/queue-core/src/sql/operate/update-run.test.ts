import { defineJob } from '@duework/contracts';
import { charge, claim, echo, emptyTables, untilItWaits, useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { enqueue } from '../../enqueue/enqueue.js';
import { getJob, updateJob } from '../../queue/operate.js';
import { setKeyRing } from '../../secrets/current-key-ring.js';
import { createKeyRing } from '../../secrets/key-ring.js';
import { failRuns } from '../settle/fail-runs.js';

const database = useTestDatabase();
const ANA = { by: 'person:ana@example.org', via: 'api', reason: 'wrong order' } as const;
beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, job_keys, job_history');
});
const entriesOf = (id: string) => database.db.auditEntry.findMany({ where: { target: id, verb: 'update' } });

describe('an update and a claim at the same moment', () => {
  test('a claim passes by a run that is being changed, and takes it as it was changed', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    await database.db.$transaction(async (tx) => {
      await updateJob(tx, id, { contract: echo, payload: { n: 2 } });
      expect(await claim(database.db, 1)).toEqual([]);
    });
    expect(await claim(database.db, 1)).toMatchObject([{ id, payload: { n: 2 } }]);
  });

  test('an update waits for a claim that has taken the run, and then leaves it as it is', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    const other = database.connect({ poolSize: 1 });
    const begun = await database.db.$transaction(async (tx) => {
      expect(await claim(tx, 1)).toMatchObject([{ id }]);
      return untilItWaits(database.db, other, (db) => updateJob(db, id, { contract: echo, payload: { n: 2 } }, ANA));
    });
    expect(begun.isWaiting).toBe(true);
    await expect(begun.answer).rejects.toMatchObject({ code: 'job_is_running', facts: { id } });
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'running', payload: { n: 1 } });
    expect(await entriesOf(id)).toEqual([]);
  });

  test('an update that waits for a failed attempt’s settlement changes the run that waits for its retry', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    const [run] = await claim(database.db, 1);
    const other = database.connect({ poolSize: 1 });
    const error = { code: 'x', error_type: 'X', message: 'x', stack: null, abort_code: null, abort_stage: null };
    const begun = await database.db.$transaction(async (tx) => {
      await failRuns(tx, [{ id, fence: run!.fence, ...error, delay_ms: 3_600_000 }]);
      return untilItWaits(database.db, other, (db) => updateJob(db, id, { delay: '0s', maxAttempts: 2 }));
    });
    expect(begun.isWaiting).toBe(true);
    await begun.answer;
    expect(await claim(database.db, 1)).toMatchObject([{ id, attempt: 2, maxAttempts: 2 }]);
  });

  test('of many updates and claims at once, a run is changed or claimed, and never half of both', async () => {
    const [left, right] = [database.connect({ poolSize: 1 }), database.connect({ poolSize: 1 })];
    for (let n = 0; n < 50; n++) {
      const { id } = await enqueue(database.db, echo, { n });
      const [changed, [run]] = await Promise.all([
        updateJob(left, id, { contract: echo, payload: { n: -1 }, maxAttempts: 3 }).then(
          () => true,
          () => false,
        ),
        claim(right, 1),
      ]);
      const [taken] = run === undefined ? await claim(right, 1) : [run];
      expect(taken).toMatchObject({ id, payload: { n: changed ? -1 : n }, maxAttempts: changed ? 3 : 10 });
    }
  });
});

test('workers are woken where a run is due earlier, and not where it is due later', async () => {
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  const heard: (string | undefined)[] = [];
  const isOver = new Promise<void>((resolve) =>
    listener.on('notification', ({ payload }) => (payload === 'end' ? resolve() : heard.push(payload))),
  );
  const { id } = await enqueue(database.db, echo, { n: 1 }, { delay: '1h' });
  await listener.query('LISTEN duework_wake');
  await updateJob(database.db, id, { delay: '2h' });
  await updateJob(database.db, id, { priority: 1 });
  await updateJob(database.db, id, { delay: '5s' });
  await database.db.$queryRaw`SELECT pg_notify('duework_wake', 'end')::text`;
  await isOver;
  await listener.end();
  expect(heard).toEqual(['default']);
});

describe('the audit of an update', () => {
  test('says what was changed from what to what, and of the payload that it was', async () => {
    const runAt = new Date('2030-01-01T00:00:00.000Z');
    const { id } = await enqueue(database.db, charge, { invoice: 1 }, { runAt });
    const later = new Date('2031-01-01T00:00:00.000Z');
    await updateJob(database.db, id, { contract: charge, payload: { invoice: 2 }, runAt: later, priority: 1 }, ANA);
    expect(await entriesOf(id)).toMatchObject([
      {
        ...ANA,
        before: { runAt: runAt.toISOString(), priority: 5 },
        after: { runAt: later.toISOString(), priority: 1, payloadChanged: true },
      },
    ]);
  });

  test('has no entry where all was as it was asked for', async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    await updateJob(database.db, id, { contract: echo, payload: { n: 1 }, priority: 5, maxAttempts: 10 });
    expect(await entriesOf(id)).toEqual([]);
  });
});

test('sensitive values of another payload are encrypted, and the run is of the version of its contract', async () => {
  const payload = z.object({ iban: z.string() });
  const old = defineJob({ type: 'pay_out', payload, sensitive: ['/iban'] });
  const past = { 1: { payload, lift: (v1: z.output<typeof payload>) => v1 } };
  const today = defineJob({ type: 'pay_out', version: 2, payload, past, sensitive: ['/iban'] });
  const { id } = await enqueue(database.db, old, { iban: 'DE00' });
  setKeyRing(createKeyRing({ current: 'k1', keys: { k1: Buffer.alloc(32, 1).toString('base64') } }));
  try {
    await updateJob(database.db, id, { contract: today, payload: { iban: 'DE11' } });
  } finally {
    setKeyRing(null);
  }
  expect((await getJob(database.db, id)).job).toMatchObject({
    version: 2,
    payload: { iban: { $sealed: expect.any(String) } },
  });
});
