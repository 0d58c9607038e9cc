import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Worker } from '../worker/create-worker.js';
import type { WorkerOptions } from '../worker/worker-options.js';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { type Handlers, combineMiddleware, type Middleware } from './handler.js';
import { cancelJob, getJob } from '../queue/operate.js';
import { bury, complete } from '../settle/outcome.js';
import type { EngineMessage } from '../leases/heartbeat.js';
import { recordStarts, startTestWorker } from '@duework/testing';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';

const database = useTestDatabase();
const payload = z.object({ n: z.int() });
const parent = defineJob({
  type: 'parent',
  payload,
  retry: fixed('1ms'),
  lease: '2s',
  result: z.object({ children: z.int() }),
});
const child = defineJob({ type: 'child', payload, lease: '2s', queue: 'later' });
const eager = defineJob({ type: 'eager', payload, lease: '2s', onShutdown: 'release' });
const droppable = defineJob({ type: 'droppable', payload, lease: '2s', onShutdown: 'drop' });
const known = defineJob({
  type: 'known',
  payload,
  lease: '2s',
  retry: fixed('1ms'),
  maxAttempts: 2,
  errors: { permanent: ['quota_gone'], transient: ['ENOENT'] },
});
const catalog = defineCatalog([parent, child, eager, droppable, known]);
const idle: Handlers<typeof catalog> = {
  parent: () => {},
  child: () => {},
  eager: () => {},
  droppable: () => {},
  known: () => {},
};

const workers: Worker[] = [];
beforeEach(async () => {
  await emptyTables(database.db, 'job_runs, job_history, job_attempts');
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

async function start(handlers: Partial<Handlers<typeof catalog>>, more: Partial<WorkerOptions<typeof catalog>> = {}) {
  const starts = recordStarts();
  const started = await startTestWorker<typeof catalog>(database.db, {
    catalog,
    handlers: { ...idle, ...handlers },
    queues: ['default'],
    middleware: starts.middleware,
    ...more,
  });
  workers.push(started.worker);
  return { ...started, starts };
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) =>
    signal.aborted
      ? reject(signal.reason as Error)
      : signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );

/** A heartbeat that sends the messages that the test wants. */
const handle = {
  listener: (_: EngineMessage): void => {},
  heartbeat: {
    isListening: false,
    start: async (_worker: string, given: (message: EngineMessage) => void) => void (handle.listener = given),
    hold: () => {},
    letGo: () => {},
    renew: () => {},
    stop: async () => {},
  },
};

describe('completeIn', () => {
  test('commits the handler’s own writes, its child jobs and its completion together', async () => {
    await database.db.$executeRaw`CREATE TABLE people (name text)`;
    const { events } = await start({
      parent: async ({ completeIn }) => {
        await database.db.$transaction(async (tx) => {
          await tx.$executeRaw`INSERT INTO people (name) VALUES ('Ada')`;
          await enqueueMany(tx, [jobRequest(child, { n: 1 }), jobRequest(child, { n: 2 })]);
          await completeIn(tx, { children: 2 });
        });
      },
    });
    const { id } = await enqueue(database.db, parent, { n: 1 });
    await events.waitFor('job.succeeded');
    expect((await getJob(database.db, id)).job).toMatchObject({
      status: 'succeeded',
      result: { children: 2 },
      attempts: 1,
    });
    expect(await database.db.jobRun.count({ where: { jobType: 'child' } })).toBe(2);
    expect(await database.db.$queryRaw`SELECT name FROM people`).toEqual([{ name: 'Ada' }]);
  });

  test('leaves nothing when its transaction is rolled back, and the attempt fails like any other', async () => {
    const { events } = await start({
      parent: async ({ completeIn, attempt }) => {
        await database.db.$transaction(async (tx) => {
          await enqueue(tx, child, { n: attempt });
          await completeIn(tx, { children: 1 });
          if (attempt === 1) throw new Error('changed its mind');
        });
      },
    });
    const { id } = await enqueue(database.db, parent, { n: 1 });
    await events.waitFor('job.succeeded');
    const { job, attempts } = await getJob(database.db, id);
    expect(job).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect(attempts).toMatchObject([{ outcome: 'failed', errorMessage: 'changed its mind' }]);
    expect(await database.db.jobRun.findMany({ where: { jobType: 'child' }, select: { payload: true } })).toEqual([
      { payload: { n: 2 } },
    ]);
  });

  test('the fence is checked inside: a worker that lost its lease commits nothing', async () => {
    const { worker } = await start({
      parent: async ({ completeIn, run }) => {
        await database.db
          .$executeRaw`UPDATE duework.job_runs SET fence = fence + 1, locked_by = 'another' WHERE id = ${BigInt(run.id)}`;
        await database.db.$transaction(async (tx) => {
          await enqueue(tx, child, { n: 1 });
          await completeIn(tx, { children: 1 });
        });
      },
    });
    const { id } = await enqueue(database.db, parent, { n: 1 });
    while ((await getJob(database.db, id)).job.worker !== 'another');
    await worker.stop({ deadlineMs: 60_000 });
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'running', worker: 'another' });
    expect(await database.db.jobRun.count({ where: { jobType: 'child' } })).toBe(0);
  });

  test('a heartbeat that comes between the commit and the return does not take it for lost', async () => {
    const { events } = await start(
      {
        parent: async ({ completeIn, run, signal }) => {
          await database.db.$transaction((tx) => completeIn(tx, { children: 0 }));
          handle.listener({ kind: 'lost', id: run.id, fence: run.fence });
          expect(signal.aborted).toBe(false);
        },
      },
      { leases: handle.heartbeat },
    );
    await enqueue(database.db, parent, { n: 1 });
    await Promise.race([events.waitFor('job.succeeded'), events.waitFor('lease.lost')]);
    expect(events.named('lease.lost')).toEqual([]);
  });

  test('has succeeded when its transaction committed, even if the handler throws afterwards', async () => {
    const { events } = await start({
      parent: async ({ completeIn }) => {
        await database.db.$transaction((tx) => completeIn(tx, { children: 0 }));
        throw new Error('too late to matter');
      },
    });
    const { id } = await enqueue(database.db, parent, { n: 1 });
    await events.waitFor('job.succeeded');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1 });
  });
});

describe('the result of a handler', () => {
  test('is left out when it does not fit its contract, and the work is not done again', async () => {
    const { events } = await start({ parent: (() => complete({ children: 'two' })) as never });
    const { id } = await enqueue(database.db, parent, { n: 1 });
    await events.waitFor('job.succeeded');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', result: null, attempts: 1 });
  });
});

describe('the progress of a run', () => {
  test('is visible while the run runs, in the end with its latest value', async () => {
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const { events } = await start({
      parent: async ({ progress }) => {
        for (let done = 1; done <= 50; done++) progress({ done, of: 50 });
        await finished;
      },
    });
    const { id } = await enqueue(database.db, parent, { n: 1 });
    for (;;) {
      const { job } = await getJob(database.db, id);
      if ((job.progress as { done: number } | null)?.done === 50) break;
    }
    finish();
    await events.waitFor('job.succeeded');
  });

  test('is kept with the value that was reported last, however short the attempt was', async () => {
    const { events } = await start({
      parent: ({ progress }) => {
        for (let done = 1; done <= 50; done++) progress({ done, of: 50 });
      },
    });
    const { id } = await enqueue(database.db, parent, { n: 1 });
    await events.waitFor('job.succeeded');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', progress: { done: 50, of: 50 } });
  });
});

describe('the contract’s own rule about errors', () => {
  test('comes before the standard one, for permanent and for transient errors', async () => {
    const { events } = await start({
      known: ({ payload: { n } }) => {
        throw Object.assign(new Error('x'), { code: n === 1 ? 'quota_gone' : 'ENOENT' });
      },
    });
    const [permanent, transient] = await enqueueMany(
      database.db,
      [1, 2].map((n) => jobRequest(known, { n })),
    );
    await events.waitFor('job.dead', 2);
    expect((await getJob(database.db, permanent!.id)).job).toMatchObject({
      status: 'dead',
      attempts: 1,
      errorCode: 'quota_gone',
    });
    expect((await getJob(database.db, transient!.id)).job).toMatchObject({
      status: 'dead',
      attempts: 2,
      errorCode: 'ENOENT',
    });
  });
});

describe('the stage of an abort', () => {
  test('is `signalled` for an attempt that ends on its signal', async () => {
    const { events, starts } = await start({ parent: ({ signal }) => untilAborted(signal) });
    const { id } = await enqueue(database.db, parent, { n: 1 });
    await starts.waitFor(1);
    await cancelJob(database.db, id, { by: 'ada', reason: 'wrong order' });
    await events.waitFor('job.cancelled');
    expect((await getJob(database.db, id)).attempts).toMatchObject([
      { outcome: 'cancelled', abortCode: 'cancelled', abortStage: 'signalled', errorMessage: 'wrong order' },
    ]);
  });

  test('is `lease_revoked` for an attempt that ignores its signal', async () => {
    let finish = (): void => {};
    const { events, starts } = await start({ parent: () => new Promise<void>((resolve) => (finish = resolve)) });
    const { id } = await enqueue(database.db, parent, { n: 1 });
    await starts.waitFor(1);
    await cancelJob(database.db, id);
    await events.waitFor('job.cancelled');
    expect((await getJob(database.db, id)).attempts).toMatchObject([
      { outcome: 'cancelled', abortCode: 'cancelled', abortStage: 'lease_revoked' },
    ]);
    finish();
  });
});

describe('a worker that stops for a deploy', () => {
  test('releases at once the runs whose contract says so, and lets the others finish', async () => {
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const { worker, events, starts } = await start({
      parent: () => finished,
      eager: ({ signal }) => untilAborted(signal),
    });
    const patient = await enqueue(database.db, parent, { n: 1 });
    const hasty = await enqueue(database.db, eager, { n: 2 });
    await starts.waitFor(2);
    const stopped = worker.stop({ deadlineMs: 60_000 });
    await events.waitFor('job.released');
    expect(await getJob(database.db, hasty.id)).toMatchObject({
      job: { status: 'queued', attempts: 0 },
      attempts: [{ outcome: 'interrupted', abortCode: 'shutting_down', abortStage: 'signalled' }],
    });
    expect((await getJob(database.db, patient.id)).job.status).toBe('running');
    finish();
    await stopped;
    expect((await getJob(database.db, patient.id)).job.status).toBe('succeeded');
  });

  test('cancels the runs whose contract says drop', async () => {
    const { worker, starts } = await start({ droppable: ({ signal }) => untilAborted(signal) });
    const { id } = await enqueue(database.db, droppable, { n: 1 });
    await starts.waitFor(1);
    await worker.stop({ deadlineMs: 60_000 });
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'cancelled', cancelRequestedBy: 'shutdown' });
  });

  test('waits for no handler after a second stop, and still releases its runs uncharged', async () => {
    let finish = (): void => {};
    const { worker, starts } = await start(
      { parent: () => new Promise<void>((resolve) => (finish = resolve)) },
      { graceMs: 3_600_000 },
    );
    const { id } = await enqueue(database.db, parent, { n: 1 });
    await starts.waitFor(1);
    const first = worker.stop({ deadlineMs: 3_600_000 });
    await Promise.all([first, worker.stop({ deadlineMs: 3_600_000 })]);
    expect(await getJob(database.db, id)).toMatchObject({
      job: { status: 'queued', attempts: 0 },
      attempts: [{ outcome: 'interrupted', abortStage: 'lease_revoked' }],
    });
    finish();
  });
});

describe('a middleware', () => {
  test('wraps every handler, adds to what it gets, and sees what it decided', async () => {
    const trace: string[] = [];
    const tracing: Middleware<{ traceId: string }> = async (context, next) => {
      trace.push(`begin ${context.run.type}`);
      const outcome = await next({ traceId: `t-${context.run.id}` });
      trace.push(`end ${outcome.kind}`);
      return outcome;
    };
    const tenancy: Middleware<{ tenant: number }, { traceId: string }> = (context, next) => {
      trace.push(context.traceId);
      return next({ tenant: 7 });
    };
    const { worker, events } = await startTestWorker<typeof catalog, { traceId: string; tenant: number }>(database.db, {
      catalog,
      queues: ['default'],
      middleware: combineMiddleware(tracing, tenancy),
      handlers: {
        ...idle,
        parent: ({ traceId, tenant, meta }) =>
          complete({ children: (trace.push(`${traceId} of ${tenant}, ${meta?.from}`), tenant) }),
      },
    });
    workers.push(worker);
    const { id } = await enqueue(database.db, parent, { n: 1 }, { meta: { from: 'a test' } });
    await events.waitFor('job.succeeded');
    expect(trace).toEqual(['begin parent', `t-${id}`, `t-${id} of 7, a test`, 'end complete']);
    expect((await getJob(database.db, id)).job.result).toEqual({ children: 7 });
  });

  test.each<[string, (context: unknown, next: (added: object) => Promise<unknown>) => unknown]>([
    ['returns nothing', async (_, next) => void (await next({}))],
    ['waits for nothing', (_, next) => void next({})],
  ])('that %s, as code without types can, changes nothing of what the handler decided', async (_, middleware) => {
    const { events } = await start(
      { parent: async () => (await Promise.resolve(), bury('no_hope', 'It is late.')) },
      { middleware: middleware as never },
    );
    const { id } = await enqueue(database.db, parent, { n: 1 });
    await events.waitFor('job.dead');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', errorCode: 'no_hope' });
  });

  test('that returns nothing and calls no handler does not make a job look done', async () => {
    const { events } = await start({}, { middleware: (() => {}) as never });
    const { id } = await enqueue(database.db, parent, { n: 1 });
    await events.waitFor('job.dead');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', errorCode: 'invalid_outcome' });
  });

  test('makes what it throws the attempt’s error', async () => {
    const { events } = await start(
      {},
      { middleware: () => Promise.reject(Object.assign(new Error('no tenant'), { code: 'EACCES' })) },
    );
    const { id } = await enqueue(database.db, parent, { n: 1 });
    await events.waitFor('job.dead');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', errorCode: 'EACCES' });
  });
});
