import { beforeAll, describe, expect, test } from '@jest/globals';
import { enqueue } from './enqueue.js';
import { DueworkError } from './errors.js';
import { STATUSES, type JobStatus } from './job.js';
import { cancelJob, getJob, retryJob } from './operate.js';
import { rescueRuns } from './sql/rescue-runs.js';
import { createPostgresStore } from './store/postgres-store.js';
import type { Settlement, Store } from './store/store.js';
import { claim } from './testing/claim-one.js';
import { echo } from './testing/test-contracts.js';
import { useTestDatabase } from './testing/use-test-database.js';
import { TRANSITIONS, VERBS, type Verb } from './transitions.js';

const database = useTestDatabase();
const error = { code: 'boom', type: 'Error', message: 'it went wrong', stack: 'Error: it went wrong\n  at …' };

let store: Store;
beforeAll(() => {
  store = createPostgresStore({ db: database.db, heartbeatDb: database.db });
});

interface Subject {
  readonly id: string;
  readonly fence: number;
}

async function settle(subject: Subject, settlement: object): Promise<boolean> {
  return (await store.settle([{ ...subject, ...settlement } as Settlement])).has(subject.id);
}

/** A run in each status, brought there by the product's own verbs. */
const ARRANGE: { readonly [S in JobStatus]: () => Promise<Subject> } = {
  queued: async () => ({ id: (await enqueue(database.db, echo, { n: 1 })).id, fence: 1 }),
  running: async () => {
    const { id } = await enqueue(database.db, echo, { n: 1 });
    const [run] = await claim(database.db, 1);
    expect(run!.id).toBe(id);
    return { id, fence: run!.fence };
  },
  failed: async () => {
    const subject = await ARRANGE.running();
    await settle(subject, { kind: 'fail', error, stop: null, delayMs: 0 });
    return subject;
  },
  succeeded: async () => {
    const subject = await ARRANGE.running();
    await settle(subject, { kind: 'complete', result: { ok: true } });
    return subject;
  },
  dead: async () => {
    const subject = await ARRANGE.running();
    await settle(subject, { kind: 'bury', error, stop: null });
    return subject;
  },
  cancelled: async () => {
    const subject = await ARRANGE.queued();
    await cancelJob(database.db, subject.id, { by: 'ada', reason: 'not needed' });
    return subject;
  },
};

/** Each verb as the engine or an operator uses it; false: it was refused. */
const ACT: { readonly [V in Verb]: (subject: Subject) => Promise<boolean> } = {
  claim: async ({ id }) => (await claim(database.db, 100)).some((run) => run.id === id),
  complete: (subject) => settle(subject, { kind: 'complete', result: null }),
  fail: (subject) => settle(subject, { kind: 'fail', error, stop: null, delayMs: 60_000 }),
  bury: (subject) => settle(subject, { kind: 'bury', error, stop: null }),
  snooze: (subject) => settle(subject, { kind: 'snooze', delayMs: 60_000 }),
  release: (subject) => settle(subject, { kind: 'release', reason: 'deploy', stop: null }),
  stop: (subject) => settle(subject, { kind: 'stop', by: 'ada', reason: 'not needed', stop: { code: 'cancelled', rung: 'signalled' } }),
  rescue: async ({ id }) => {
    await database.db.$executeRaw`UPDATE duework.job_runs SET locked_until = now() - interval '1 second' WHERE id = ${BigInt(id)} AND status = 'running'`;
    return (await rescueRuns(database.db, 100)).some((run) => run.id === id);
  },
  retry: ({ id }) => allowed(retryJob(database.db, id)),
  cancel: ({ id }) => allowed(cancelJob(database.db, id)),
};

async function allowed(act: Promise<unknown>): Promise<boolean> {
  try {
    await act;
    return true;
  } catch (refusal) {
    if (DueworkError.is(refusal, 'transition_not_allowed')) return false;
    throw refusal;
  }
}

describe('every status × every verb', () => {
  for (const status of STATUSES) {
    for (const verb of VERBS) {
      const next = TRANSITIONS[status][verb];
      const promise = next === undefined ? 'is refused and changes nothing' : `→ ${typeof next === 'string' ? next : next[0]}`;
      test(`${status} × ${verb} ${promise}`, async () => {
        await database.db.$executeRaw`TRUNCATE duework.job_runs`;
        const subject = await ARRANGE[status]();
        const before = await getJob(database.db, subject.id);
        expect(before.job.status).toBe(status);
        const isDone = await ACT[verb](subject);
        const after = await getJob(database.db, subject.id);
        if (next === undefined) expect({ isDone, after }).toEqual({ isDone: false, after: before });
        else expect({ isDone, status: after.job.status }).toEqual({ isDone: true, status: typeof next === 'string' ? next : next[0] });
        // whatever happened, nothing lowers the fence
        expect(after.job.fence).toBeGreaterThanOrEqual(before.job.fence);
      });
    }
  }
});

describe('a request to cancel that comes while a run is running', () => {
  test.each<[Verb]>([['fail'], ['snooze'], ['release'], ['rescue']])('%s ends it as cancelled, with who and why', async (verb) => {
    await database.db.$executeRaw`TRUNCATE duework.job_runs`;
    const subject = await ARRANGE.running();
    expect(await cancelJob(database.db, subject.id, { by: 'ada', reason: 'wrong order' })).toBe('requested');
    expect(await ACT[verb](subject)).toBe(true);
    const { job, attempts } = await getJob(database.db, subject.id);
    expect(job).toMatchObject({ status: 'cancelled', cancelRequestedBy: 'ada', cancelReason: 'wrong order', finishedAt: expect.any(Date) });
    expect(attempts).toHaveLength(1);
  });

  test('is too late for a handler that has done its work', async () => {
    const subject = await ARRANGE.running();
    await cancelJob(database.db, subject.id);
    expect(await ACT.complete(subject)).toBe(true);
    expect((await getJob(database.db, subject.id)).job.status).toBe('succeeded');
  });

  test('cancel twice keeps the first who and why', async () => {
    const subject = await ARRANGE.running();
    await cancelJob(database.db, subject.id, { by: 'ada', reason: 'first' });
    await cancelJob(database.db, subject.id, { by: 'bob', reason: 'second' });
    expect((await getJob(database.db, subject.id)).job).toMatchObject({ status: 'running', cancelRequestedBy: 'ada', cancelReason: 'first' });
  });
});

describe('an operator', () => {
  test('a dead run that is retried has all its attempts again and its fence still', async () => {
    const subject = await ARRANGE.dead();
    await retryJob(database.db, subject.id);
    const { job, attempts } = await getJob(database.db, subject.id);
    expect(job).toMatchObject({ status: 'queued', attempts: 0, fence: 1, lastError: 'it went wrong', finishedAt: null });
    expect(attempts).toMatchObject([{ attempt: 1, outcome: 'failed', errorCode: 'boom' }]);
    await database.db.$executeRaw`DELETE FROM duework.job_runs WHERE id <> ${BigInt(subject.id)}`;
    expect(await claim(database.db, 1)).toMatchObject([{ id: subject.id, attempt: 1, fence: 2 }]);
  });

  test('two retries of one dead run at once bring it back once', async () => {
    const subject = await ARRANGE.dead();
    const [left, right] = [database.connect({ poolSize: 1 }), database.connect({ poolSize: 1 })];
    await Promise.all([retryJob(left, subject.id), retryJob(right, subject.id)]);
    expect(await database.db.jobRun.count({ where: { id: BigInt(subject.id) } })).toBe(1);
    expect(await database.db.jobHistory.count({ where: { id: BigInt(subject.id) } })).toBe(0);
  });

  test.each(['0', '-1', '01', '1.5', 'abc', '', '9223372036854775808', '1e3', ' 1', '1; DROP TABLE x'])('%j is not an id', async (id) => {
    for (const act of [getJob, retryJob, cancelJob]) await expect(act(database.db, id)).rejects.toMatchObject({ code: 'invalid_job_id', facts: { id } });
  });

  test('an id that does not exist is not found', async () => {
    for (const act of [getJob, retryJob, cancelJob]) {
      await expect(act(database.db, '9223372036854775807')).rejects.toMatchObject({ code: 'job_not_found' });
    }
  });
});
