import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { startTestWorker } from '@duework/testing';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import {
  bury,
  cancelJob,
  enqueue,
  enqueueBatch,
  enqueueMany,
  getBatch,
  getJob,
  jobRequest,
  openTaker,
  retry,
  type JobTaker,
  type Queryable,
  type TakenJob,
} from '../index.js';
import { openQueue } from '../queue/open-queue.js';

const base = { retry: fixed('1h'), lease: '2s', maxAttempts: 3 } as const;
const mail = defineJob({
  ...base,
  type: 'mail',
  payload: z.object({ to: z.string() }),
  result: z.object({ sent: z.boolean() }),
});
const account = defineJob({
  ...base,
  type: 'account',
  payload: z.object({ id: z.int() }),
  limits: [{ by: 'id', max: 1 }],
});
const newer = defineJob({
  ...base,
  type: 'mail',
  version: 2,
  payload: z.object({ to: z.string(), cc: z.string() }),
  past: { 1: { payload: z.object({ to: z.string() }), lift: ({ to }) => ({ to, cc: '' }) } },
});
const loose = defineJob({ ...base, type: 'mail', payload: z.object({}).loose() });
const other = defineJob({ ...base, type: 'other', payload: z.object({}) });

const database = useTestDatabase();
let taker: JobTaker<readonly [typeof mail]>;
beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, job_history, job_attempts, job_effects');
  taker = openTaker(database.db, { contracts: [mail] });
});

const jobOf = async (id: string) => (await getJob(database.db, id)).job;
const send = (to = 'ada', options = {}) => enqueue(database.db, mail, { to }, options);
async function takeOne(from: JobTaker<readonly [typeof mail]> = taker): Promise<TakenJob<typeof mail>> {
  const [job] = await from.take();
  return job!;
}
/** The lease is over, and another has taken the job. */
async function loseTo(job: TakenJob): Promise<TakenJob<typeof mail>> {
  await database.db
    .$executeRaw`UPDATE duework.job_runs SET status = 'queued', locked_by = NULL, locked_until = NULL WHERE id = ${BigInt(job.run.id)}`;
  return takeOne(openTaker(database.db, { contracts: [mail], name: 'another' }));
}

describe('a job that is taken by hand', () => {
  test('comes with its payload, the most urgent first, and is completed with a result of its contract', async () => {
    await enqueueMany(
      database.db,
      [5, 0, 9].map((priority) => jobRequest(mail, { to: `p${priority}` }, { priority, meta: { trace: 't' } })),
    );
    const jobs = await taker.take({ limit: 2 });
    expect(jobs.map(({ payload }) => payload.to)).toEqual(['p0', 'p5']);
    expect(jobs[0]).toMatchObject({ type: 'mail', attempt: 1, meta: { trace: 't' } });
    expect(await jobOf(jobs[0]!.run.id)).toMatchObject({ status: 'running', attempts: 1 });
    expect(await jobs[0]!.complete({ sent: true })).toBe('succeeded');
    expect(await jobOf(jobs[0]!.run.id)).toMatchObject({ status: 'succeeded', result: { sent: true } });
    expect(await taker.take({ limit: 10 })).toHaveLength(1);
    expect(await taker.take()).toEqual([]);
  });

  test('is nobody else’s: takers that take at once share none', async () => {
    await enqueueMany(
      database.db,
      Array.from({ length: 40 }, (_, n) => jobRequest(mail, { to: String(n) })),
    );
    const takers = Array.from({ length: 4 }, () => openTaker(database.connect(), { contracts: [mail] }));
    const taken = (await Promise.all(takers.map((each) => each.take({ limit: 20 })))).flat();
    const rest = await taker.take({ limit: 40 });
    const ids = [...taken, ...rest].map(({ run }) => run.id);
    expect(ids).toHaveLength(40);
    expect(new Set(ids).size).toBe(40);
  });

  test('fails as what a handler throws: retried by its contract, dead after a permanent error or its last attempt', async () => {
    await send();
    const job = await takeOne();
    expect(await job.fail(Object.assign(new Error('busy'), { code: 'ECONNRESET' }))).toBe('failed');
    expect(await jobOf(job.run.id)).toMatchObject({ status: 'failed', errorCode: 'ECONNRESET', attempts: 1 });
    await send();
    const gone = await takeOne();
    expect(await gone.fail(Object.assign(new Error('gone'), { status: 410 }))).toBe('dead');
    await send('ada', { maxAttempts: 1 });
    expect(await (await takeOne()).fail(new Error('once'))).toBe('dead');
  });

  test('is snoozed uncharged, and can have any outcome of a handler', async () => {
    const { id } = await send();
    expect(await (await takeOne()).snooze('1h')).toBe('queued');
    expect(await jobOf(id)).toMatchObject({ status: 'queued', attempts: 0 });
    await send();
    expect(await (await takeOne()).settle(retry('later', { code: 'quota' }))).toBe('failed');
    const buried = await send();
    expect(await (await takeOne()).settle(bury('order_gone', 'there is none'))).toBe('dead');
    expect(await jobOf(buried.id)).toMatchObject({ errorCode: 'order_gone' });
  });

  test('with a result that does not fit its contract nothing is written, and it can be completed again', async () => {
    await send();
    const job = await takeOne();
    await expect(job.complete({ sent: 'yes' } as never)).rejects.toThrow(TypeError);
    expect((await jobOf(job.run.id)).status).toBe('running');
    expect(await job.complete({ sent: true })).toBe('succeeded');
  });
});

describe('in the caller’s transaction', () => {
  test('a completion and the caller’s writes commit together or not at all', async () => {
    await send();
    const job = await takeOne();
    const work = (isBroken: boolean) =>
      database.db.$transaction(async (tx) => {
        await enqueue(tx, other, {});
        await job.completeIn(tx, { sent: true });
        if (isBroken) throw new Error('the work failed');
      });
    await expect(work(true)).rejects.toThrow('the work failed');
    expect((await jobOf(job.run.id)).status).toBe('running');
    await work(false);
    expect(await jobOf(job.run.id)).toMatchObject({ status: 'succeeded', result: { sent: true } });
    expect((await openQueue(database.db).findJobs({ type: 'other' })).jobs).toHaveLength(1);
    // told once more it says the same
    expect(await job.complete({ sent: true })).toBe('succeeded');
  });

  test('a completion whose lease was lost takes the caller’s writes back', async () => {
    await send();
    const job = await takeOne();
    await loseTo(job);
    const work = database.db.$transaction(async (tx) => {
      await enqueue(tx, other, {});
      await job.completeIn(tx, { sent: true });
    });
    await expect(work).rejects.toMatchObject({ name: 'AbortReason', code: 'lease_lost' });
    expect((await openQueue(database.db).findJobs({ type: 'other' })).jobs).toHaveLength(0);
  });
});

describe('the lease', () => {
  const settlements: readonly [string, (job: TakenJob<typeof mail>) => Promise<unknown>][] = [
    ['complete', (job) => job.complete({ sent: true })],
    ['fail', (job) => job.fail(new Error('late'))],
    ['snooze', (job) => job.snooze('1h')],
    ['renew', (job) => job.renew()],
  ];

  test.each(settlements)('a job that another has is refused, and is not changed: %s', async (_, act) => {
    await send();
    const job = await takeOne();
    const next = await loseTo(job);
    await expect(act(job)).rejects.toMatchObject({ name: 'AbortReason', code: 'lease_lost' });
    expect(await jobOf(job.run.id)).toMatchObject({ status: 'running', attempts: 2, worker: 'another' });
    expect(await next.complete({ sent: true })).toBe('succeeded');
  });

  test.each(settlements.slice(1))('a job that was settled is not settled again: %s', async (_, act) => {
    await send();
    const job = await takeOne();
    await job.complete({ sent: true });
    await expect(act(job)).rejects.toMatchObject({ name: 'AbortReason', code: 'lease_lost' });
    expect((await jobOf(job.run.id)).status).toBe('succeeded');
  });

  test('lasts as long as was asked for, and begins anew when it is renewed', async () => {
    const until = async (id: string): Promise<number> => {
      const [row] = await database.db.$queryRaw<{ left: number }[]>`
        SELECT date_part('epoch', locked_until - claimed_at)::float8 AS left FROM duework.job_runs WHERE id = ${BigInt(id)}`;
      return row!.left;
    };
    await send();
    const job = await takeOne(openTaker(database.db, { contracts: [mail], lease: '10m' }));
    expect(await until(job.run.id)).toBe(600);
    expect(await job.renew()).toBe(true);
    expect(await until(job.run.id)).toBeGreaterThan(600);
  });

  test('cannot be renewed while the row is locked, which is told', async () => {
    await send();
    const job = await takeOne();
    await database.db.$transaction(async (tx) => {
      await job.completeIn(tx, { sent: true });
      expect(await job.renew()).toBe(false);
    });
    expect((await jobOf(job.run.id)).status).toBe('succeeded');
  });

  test('the signal aborts when it is over', async () => {
    await send();
    const { signal } = await takeOne(openTaker(database.db, { contracts: [mail], lease: '1s' }));
    expect(signal.aborted).toBe(false);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.reason).toMatchObject({ name: 'AbortReason', code: 'lease_lost' });
  });

  test('a renewal tells of a wish to cancel, and what is then given back is cancelled', async () => {
    const { id } = await send();
    const job = await takeOne();
    expect(await cancelJob(database.db, id, { by: 'ada', reason: 'wrong order' })).toBe('requested');
    await job.renew();
    expect(job.signal.reason).toMatchObject({ code: 'cancelled', message: 'wrong order', by: 'ada' });
    expect(await job.fail(job.signal.reason)).toBe('cancelled');
    expect(await jobOf(id)).toMatchObject({ status: 'cancelled', cancelRequestedBy: 'ada' });
  });

  test('what is not settled comes back after it, by a worker that does not even know its type', async () => {
    await send();
    const job = await takeOne(openTaker(database.db, { contracts: [mail], lease: '1s' }));
    const { worker, events } = await startTestWorker(database.db, {
      catalog: defineCatalog([other]),
      handlers: { other: () => {} },
    });
    await events.waitFor('run.rescued');
    expect(await jobOf(job.run.id)).toMatchObject({ status: 'failed', errorCode: 'worker_lost', attempts: 1 });
    expect(await takeOne()).toMatchObject({ attempt: 2, payload: { to: 'ada' } });
    await worker.stop({ deadlineMs: 0 });
  });
});

describe('what holds for workers holds for it', () => {
  test('a limit: of one account one job at a time, the next when it is settled', async () => {
    const accounts = openTaker(database.db, { contracts: [account] });
    await accounts.take();
    await enqueueMany(
      database.db,
      [7, 7, 8].map((id) => jobRequest(account, { id })),
    );
    const first = await accounts.take({ limit: 10 });
    expect(first.map(({ payload }) => payload.id).sort()).toEqual([7, 8]);
    expect(await accounts.take({ limit: 10 })).toEqual([]);
    await first.find(({ payload }) => payload.id === 7)!.complete();
    expect(await accounts.take({ limit: 10 })).toHaveLength(1);
  });

  test.each(['queue', 'type'] as const)('a pause of its %s', async (kind) => {
    const queue = openQueue(database.db);
    await send();
    if (kind === 'queue') await queue.pauseQueue('default', { by: 'ada' });
    else await queue.pauseType('mail', { by: 'ada' });
    expect(await taker.take()).toEqual([]);
    if (kind === 'queue') await queue.resumeQueue('default', { by: 'ada' });
    else await queue.resumeType('mail', { by: 'ada' });
    expect(await taker.take()).toHaveLength(1);
  });

  test('a version that it cannot read waits, and an older one comes in today’s shape', async () => {
    await enqueue(database.db, newer, { to: 'ada', cc: 'bob' });
    expect(await taker.take()).toEqual([]);
    await send('eve');
    const jobs = await openTaker(database.db, { contracts: [newer] }).take({ limit: 2 });
    expect(jobs.map(({ payload }) => payload)).toEqual([
      { to: 'ada', cc: 'bob' },
      { to: 'eve', cc: '' },
    ]);
  });

  test('a payload that its contract refuses: the job is dead, and is not handed out', async () => {
    const { id } = await enqueue(database.db, loose, { to: 7 });
    await send('eve');
    expect((await taker.take({ limit: 2 })).map(({ payload }) => payload.to)).toEqual(['eve']);
    expect(await jobOf(id)).toMatchObject({ status: 'dead', errorCode: 'invalid_payload' });
  });

  test('an effect happens once, whoever takes the job again', async () => {
    await send();
    let sent = 0;
    const job = await takeOne();
    expect(await job.once('mail', () => ++sent)).toBe(1);
    const next = await loseTo(job);
    expect(await next.once('mail', () => ++sent)).toBe(1);
    expect(sent).toBe(1);
  });

  test('no effect begins once the lease is lost', async () => {
    await send();
    const job = await takeOne();
    await loseTo(job);
    let sent = 0;
    await expect(job.once('another', () => ++sent)).rejects.toMatchObject({ code: 'lease_lost' });
    expect(sent).toBe(0);
  });

  test('a batch counts it', async () => {
    const { id } = await enqueueBatch(database.db, { jobs: [jobRequest(mail, { to: 'ada' })] });
    await (await takeOne()).complete({ sent: true });
    expect(await getBatch(database.db, id)).toMatchObject({ succeeded: 1 });
  });

  test('it says what it takes, so that nobody is told that no worker runs its jobs', async () => {
    await openTaker(database.db, { contracts: [mail], name: 'my-loop' }).take();
    const rows = await database.db.$queryRaw<{ worker: string }[]>`
      SELECT worker FROM duework.worker_contracts WHERE contracts ? 'mail' AND worker = 'my-loop'`;
    expect(rows).toHaveLength(1);
  });
});

describe('openTaker', () => {
  const durable = defineJob({ ...base, type: 'durable', payload: z.object({}), durable: true });
  const isolated = defineJob({ ...base, type: 'isolated', payload: z.object({}), isolate: {} });
  test.each([
    ['no contract', { contracts: [] }],
    ['durable', { contracts: [durable] }],
    ['isolate', { contracts: [mail, isolated] }],
    ['a lease under a second', { contracts: [mail], lease: '10ms' }],
    ['a lease that is no duration', { contracts: [mail], lease: 'soon' }],
  ] as const)('refuses %s', (_, options) => {
    expect(() => openTaker(database.db, options as never)).toThrow(
      expect.objectContaining({ code: 'invalid_option' }) as never,
    );
  });

  test.each([0, 1_001, 1.5])('takes no limit of %s', async (limit) => {
    await expect(taker.take({ limit })).rejects.toMatchObject({ code: 'invalid_option' });
  });

  test('the first call after a database that was away prepares again', async () => {
    let isAway = true;
    const flaky = new Proxy(database.db, {
      get: (target, name) =>
        name === '$queryRaw' && isAway
          ? () => Promise.reject(new Error('away'))
          : (Reflect.get(target, name) as unknown),
    }) as unknown as Queryable;
    const own = openTaker(flaky, { contracts: [mail] });
    await expect(own.take()).rejects.toThrow('away');
    isAway = false;
    await send();
    expect(await own.take()).toHaveLength(1);
  });
});
