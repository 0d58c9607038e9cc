import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Worker, WorkerOptions } from '../create-worker.js';
import { enqueue, enqueueMany, jobRequest } from '../enqueue.js';
import type { Handler } from '../handler.js';
import { cancelJob, getJob } from '../operate.js';
import { bury, complete, retry, snooze } from '../outcome.js';
import { createPostgresStore } from '../store/postgres-store.js';
import type { EventRecord } from '../testing/record-events.js';
import { startTestWorker } from '../testing/start-test-worker.js';
import { useTestDatabase } from '../testing/internal/use-test-database.js';
import type { StopReason } from './stop-reason.js';

const database = useTestDatabase();
const work = defineJob({ type: 'work', payload: z.object({ n: z.int() }), retry: fixed('1ms'), maxAttempts: 3, lease: '2s', timeout: '10s' });
const brief = defineJob({ type: 'brief', payload: z.object({}), retry: fixed('1h'), timeout: '20ms', lease: '2s' });
const catalog = defineCatalog([work, brief]);

const workers: Worker[] = [];
beforeEach(async () => {
  await database.db.$executeRaw`TRUNCATE duework.job_runs`;
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ deadlineMs: 0 })));
});

async function start(handler: Handler<typeof work>, more: Partial<WorkerOptions<typeof catalog>> = {}): Promise<{ worker: Worker; events: EventRecord }> {
  const started = await startTestWorker<typeof catalog>(database.db, { catalog, handlers: { work: handler, brief: () => {} }, ...more });
  workers.push(started.worker);
  return started;
}

/** A promise that a test settles by hand. */
function gate<T = void>(): { promise: Promise<T>; open: (value: T) => void } {
  let open!: (value: T) => void;
  const promise = new Promise<T>((resolve) => (open = resolve));
  return { promise, open };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => (signal.aborted ? reject(signal.reason as Error) : signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })));

describe('a handler’s outcome', () => {
  test('nothing returned is a success, and a result is kept with the run', async () => {
    const { events } = await start(({ payload }) => (payload.n === 1 ? complete({ sum: 42 }) : undefined));
    const [one, two] = await enqueueMany(database.db, [jobRequest(work, { n: 1 }), jobRequest(work, { n: 2 })]);
    await events.waitFor('job.succeeded', 2);
    expect((await getJob(database.db, one!.id)).job).toMatchObject({ status: 'succeeded', result: { sum: 42 }, attempts: 1 });
    expect((await getJob(database.db, two!.id)).job).toMatchObject({ status: 'succeeded', result: null });
  });

  test('a result that cannot be stored does not make the work run again', async () => {
    const { events } = await start(() => complete('\0'));
    const { id } = await enqueue(database.db, work, { n: 1 });
    await events.waitFor('job.succeeded');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', result: null, attempts: 1 });
  });

  test('a failure is retried after its backoff, and every failed attempt is on record', async () => {
    const { events } = await start(({ attempt }) => {
      if (attempt < 3) throw Object.assign(new Error(`attempt ${attempt} broke`), { code: 'ECONNRESET' });
    });
    const { id } = await enqueue(database.db, work, { n: 1 });
    await events.waitFor('job.succeeded');
    const { job, attempts } = await getJob(database.db, id);
    expect(job).toMatchObject({ status: 'succeeded', attempts: 3, fence: 3, lastError: 'attempt 2 broke', errorCode: 'ECONNRESET' });
    expect(attempts).toMatchObject([
      { attempt: 1, outcome: 'failed', errorMessage: 'attempt 1 broke', errorStack: expect.stringContaining('worker.test') },
      { attempt: 2, outcome: 'failed', errorMessage: 'attempt 2 broke' },
    ]);
  });

  test('the last failed attempt makes the run dead', async () => {
    const { events } = await start(() => {
      throw new Error('never works');
    });
    const { id } = await enqueue(database.db, work, { n: 1 });
    await events.waitFor('job.dead');
    const { job, attempts } = await getJob(database.db, id);
    expect(job).toMatchObject({ status: 'dead', attempts: 3, lastError: 'never works' });
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(['failed', 'failed', 'failed']);
  });

  test('a permanent error is not retried', async () => {
    const { events } = await start(() => {
      throw Object.assign(new Error('no such order'), { code: 'P2025' });
    });
    const { id } = await enqueue(database.db, work, { n: 1 });
    await events.waitFor('job.dead');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', attempts: 1, errorCode: 'P2025' });
  });

  test('retry, snooze and bury do what they say', async () => {
    const { events } = await start(({ payload, attempt }) => {
      if (payload.n === 1) return attempt === 1 ? retry('the provider is busy', { delay: '2h' }) : complete();
      return payload.n === 2 ? snooze('3h') : bury('order_missing', 'there is no such order');
    });
    const jobs = await enqueueMany(database.db, [1, 2, 3].map((n) => jobRequest(work, { n })));
    await Promise.all([events.waitFor('job.failed'), events.waitFor('job.snoozed'), events.waitFor('job.dead')]);
    const [retried, snoozed, buried] = await Promise.all(jobs.map(async ({ id }) => (await getJob(database.db, id)).job));
    expect(retried).toMatchObject({ status: 'failed', attempts: 1, lastError: 'the provider is busy' });
    expect(retried!.runAt.getTime() - retried!.failedAt!.getTime()).toBe(7_200_000);
    expect(snoozed).toMatchObject({ status: 'queued', attempts: 0, lastError: null });
    expect(buried).toMatchObject({ status: 'dead', attempts: 1, errorCode: 'order_missing', lastError: 'there is no such order' });
  });

  test('a payload that no longer parses is dead at once, and its handler is never called', async () => {
    let calls = 0;
    const { events } = await start(() => void calls++);
    const { id } = await enqueue(database.db, work, { n: 1 }, { delay: '1h' });
    await database.db.$executeRaw`UPDATE duework.job_runs SET payload = '{"n":"one"}', run_at = now() WHERE id = ${BigInt(id)}`;
    await events.waitFor('job.dead');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'dead', errorCode: 'invalid_payload', attempts: 1, lastError: expect.stringContaining('/n') });
    expect(calls).toBe(0);
  });
});

describe('the signal', () => {
  test('an attempt that runs for too long is told so, and fails as a time-out', async () => {
    const reason = gate<unknown>();
    const { events } = await start(() => {}, { handlers: { work: () => {}, brief: async ({ signal }) => {
      signal.addEventListener('abort', () => reason.open(signal.reason));
      await aborted(signal);
    } } });
    const { id } = await enqueue(database.db, brief, {});
    expect(await reason.promise).toMatchObject({ code: 'timeout' });
    await events.waitFor('job.failed');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'failed', errorCode: 'timeout', attempts: 1 });
  });

  test('a handler that ignores its signal is given up, keeps its slot, and can change nothing any more', async () => {
    const ignoring = gate();
    const { worker, events } = await start(() => {}, { concurrency: 1, handlers: { work: () => {}, brief: () => ignoring.promise } });
    const { id } = await enqueue(database.db, brief, {});
    await events.waitFor('job.overran');
    await events.waitFor('job.failed');
    expect(worker.activity()).toMatchObject({ running: 1, buffered: 0 });
    const next = await enqueue(database.db, work, { n: 2 });
    expect((await getJob(database.db, next.id)).job.status).toBe('queued');
    ignoring.open();
    await events.waitFor('job.succeeded');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'failed', errorCode: 'timeout' });
  });

  test('a running job is cancelled from another process, with who and why', async () => {
    const reason = gate<StopReason>();
    const { events } = await start(async ({ signal }) => {
      signal.addEventListener('abort', () => reason.open(signal.reason as StopReason));
      await aborted(signal);
    });
    const { id } = await enqueue(database.db, work, { n: 1 });
    await events.waitFor('job.claimed');
    expect(await cancelJob(database.connect(), id, { by: 'ada', reason: 'wrong order' })).toBe('requested');
    expect(await reason.promise).toMatchObject({ code: 'cancelled', message: 'wrong order', by: 'ada' });
    await events.waitFor('job.cancelled');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'cancelled', cancelRequestedBy: 'ada' });
  });

  test('a worker that lost its lease is told, and its outcome changes nothing', async () => {
    const reason = gate<StopReason>();
    const finish = gate();
    const { events } = await start(async ({ signal }) => {
      signal.addEventListener('abort', () => reason.open(signal.reason as StopReason));
      await finish.promise;
      return complete('too late');
    });
    const { id } = await enqueue(database.db, work, { n: 1 });
    await events.waitFor('job.claimed');
    await database.db.$executeRaw`UPDATE duework.job_runs SET fence = fence + 1, locked_by = 'another' WHERE id = ${BigInt(id)}`;
    expect(await reason.promise).toMatchObject({ code: 'lease_lost' });
    finish.open();
    await events.waitFor('lease.lost');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'running', worker: 'another' });
  });

  test('a lease is kept while its handler runs for longer than it', async () => {
    const finish = gate();
    const { events } = await start(() => finish.promise);
    const { id } = await enqueue(database.db, work, { n: 1 });
    await events.waitFor('job.claimed');
    const { job: before } = await getJob(database.db, id);
    for (;;) {
      const { job } = await getJob(database.db, id);
      expect(job).toMatchObject({ status: 'running', attempts: 1 });
      // two whole leases later
      if (job.lockedUntil!.getTime() - before.lockedUntil!.getTime() > 4_000) break;
    }
    finish.open();
    await events.waitFor('job.succeeded');
    expect(events.named('run.rescued')).toEqual([]);
  });

  test('when the heartbeat cannot reach the database, the handler is told before another worker may start', async () => {
    const reason = gate<StopReason>();
    const store = { ...createPostgresStore({ db: database.db }), extendLeases: () => new Promise<never>(() => {}) };
    const { events } = await start(async ({ signal, attempt }) => {
      if (attempt > 1) return;
      signal.addEventListener('abort', () => reason.open(signal.reason as StopReason));
      await aborted(signal);
    }, { store });
    const { id } = await enqueue(database.db, work, { n: 1 });
    await events.waitFor('job.claimed');
    expect(await reason.promise).toMatchObject({ code: 'lease_lost' });
    // on the database's clock the lease was not over yet
    expect(events.named('run.rescued')).toEqual([]);
    await events.waitFor('job.succeeded');
    expect((await getJob(database.db, id)).attempts).toMatchObject([{ outcome: 'lost' }]);
  });
});

describe('a worker that is stopped', () => {
  test('finishes what runs, gives back what only waited, and takes nothing new', async () => {
    const [started, finish] = [gate(), gate()];
    const { worker, events } = await start(async ({ payload }) => {
      if (payload.n === 0) return;
      started.open();
      await finish.promise;
    }, { concurrency: 1, buffer: 2 });
    // a quick one, after which it claims ahead
    await enqueue(database.db, work, { n: 0 });
    await events.waitFor('job.succeeded');
    const jobs = await enqueueMany(database.db, [1, 2, 3].map((n) => jobRequest(work, { n })));
    await Promise.all([events.waitFor('job.claimed', 4), started.promise]);
    const stopped = worker.stop({ deadlineMs: 60_000 });
    await events.waitFor('job.released', 2);
    await enqueue(database.db, work, { n: 4 });
    finish.open();
    expect(await stopped).toEqual({ released: 2 });
    const found = await Promise.all(jobs.map(async ({ id }) => (await getJob(database.db, id)).job));
    expect(found.map(({ status, attempts }) => ({ status, attempts }))).toEqual([
      { status: 'succeeded', attempts: 1 },
      { status: 'queued', attempts: 0 },
      { status: 'queued', attempts: 0 },
    ]);
    expect(await database.db.jobRun.count({ where: { status: 'queued' } })).toBe(3);
  });

  test('past the deadline the rest is released uncharged, and another worker has it at once', async () => {
    const { worker, events } = await start(({ signal }) => aborted(signal));
    const { id } = await enqueue(database.db, work, { n: 1 });
    await events.waitFor('job.claimed');
    expect(await worker.stop({ deadlineMs: 0 })).toEqual({ released: 1 });
    const { job, attempts } = await getJob(database.db, id);
    expect(job).toMatchObject({ status: 'queued', attempts: 0, fence: 1, worker: null });
    expect(attempts).toMatchObject([{ attempt: 1, outcome: 'interrupted', worker: worker.name }]);
    const next = await start(() => complete());
    await next.events.waitFor('job.succeeded');
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1, fence: 2 });
  });

  test('a handler that ignores the shutdown is released as well, and its late outcome is lost', async () => {
    const finish = gate();
    const { worker, events } = await start(() => finish.promise);
    const { id } = await enqueue(database.db, work, { n: 1 });
    await events.waitFor('job.claimed');
    await worker.stop({ deadlineMs: 0 });
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'queued', attempts: 0 });
    finish.open();
    expect((await getJob(database.db, id)).job.status).toBe('queued');
  });

  test('stopping twice is stopping once', async () => {
    const { worker, events } = await start(() => {});
    await Promise.all([worker.stop({ deadlineMs: 10 }), worker.stop({ deadlineMs: 10 })]);
    expect(events.named('worker.stopped')).toHaveLength(1);
  });
});

describe('the slots', () => {
  test('never more handlers at once than there are slots', async () => {
    let running = 0;
    let most = 0;
    const { events } = await start(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    }, { concurrency: 3, buffer: 5 });
    await enqueueMany(database.db, Array.from({ length: 100 }, (_, n) => jobRequest(work, { n })));
    await events.waitFor('job.succeeded', 100);
    expect(most).toBe(3);
  });

  test('a handler that throws before its first await harms nobody else', async () => {
    const { events } = await start((({ payload }: { payload: { n: number } }) => {
      if (payload.n === 1) throw new Error('at once');
    }) as Handler<typeof work>);
    await enqueueMany(database.db, [jobRequest(work, { n: 1 }, { maxAttempts: 1 }), jobRequest(work, { n: 2 })]);
    await Promise.all([events.waitFor('job.dead'), events.waitFor('job.succeeded')]);
  });
});

describe('a database that fails', () => {
  test('a kind of settlement that fails does not make another kind, already written, look lost', async () => {
    const real = createPostgresStore({ db: database.db });
    let failures = 2;
    const together = gate();
    let waiting = 0;
    const { events } = await start(async ({ payload }) => {
      if (++waiting === 2) together.open();
      await together.promise;
      return payload.n === 1 ? complete() : snooze('1h');
    }, {
      store: { ...real, settle: (batch) => (batch[0]!.kind === 'snooze' && failures-- > 0 ? Promise.reject(new Error('cut')) : real.settle(batch)) },
    });
    await enqueueMany(database.db, [1, 2].map((n) => jobRequest(work, { n })));
    await Promise.all([events.waitFor('job.succeeded'), events.waitFor('job.snoozed')]);
    expect(events.named('lease.lost')).toEqual([]);
  });

  test('a settlement is tried again and never turns a success into a failure', async () => {
    const real = createPostgresStore({ db: database.db });
    let failures = 3;
    let calls = 0;
    const { events } = await start(() => void calls++, {
      store: { ...real, settle: (batch) => (failures-- > 0 ? Promise.reject(new Error('the connection was cut')) : real.settle(batch)) },
    });
    const { id } = await enqueue(database.db, work, { n: 1 });
    await Promise.race([events.waitFor('job.succeeded'), events.waitFor('lease.lost')]);
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(calls).toBe(1);
    expect(events.named('database.failed')).toMatchObject([{ during: 'settle' }]);
    expect(events.named('database.recovered')).toMatchObject([{ during: 'settle', failures: 3 }]);
  });

  test('a settlement that the database refuses fails alone', async () => {
    const together = gate();
    let waiting = 0;
    const { events } = await start(async ({ payload, run }) => {
      // no attempt is left, whatever its worker was told: such a run cannot wait for another one
      if (payload.n === 1) await database.db.$executeRaw`UPDATE duework.job_runs SET max_attempts = attempts WHERE id = ${BigInt(run.id)}`;
      if (++waiting === 2) together.open();
      await together.promise;
      return retry('the provider is busy', { delay: '2h' });
    });
    const [, sound] = await enqueueMany(database.db, [1, 2].map((n) => jobRequest(work, { n })));
    await Promise.race([events.waitFor('job.failed'), events.waitFor('lease.lost')]);
    expect((await getJob(database.db, sound!.id)).job).toMatchObject({ status: 'failed', attempts: 1 });
  });

  test('a settlement whose answer was lost is recognised as written', async () => {
    const real = createPostgresStore({ db: database.db });
    let isCut = true;
    let calls = 0;
    const { events } = await start(() => void calls++, {
      store: { ...real, settle: async (batch) => {
        const settled = await real.settle(batch);
        if (!isCut) return settled;
        isCut = false;
        throw new Error('committed, but the answer never came');
      } },
    });
    const { id } = await enqueue(database.db, work, { n: 1 });
    await Promise.race([events.waitFor('job.succeeded'), events.waitFor('lease.lost')]);
    expect(events.named('lease.lost')).toEqual([]);
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(calls).toBe(1);
  });

  test('claims that fail are tried again, and a failing cause is told at most once a second', async () => {
    const real = createPostgresStore({ db: database.db });
    let failures = 4;
    const { events } = await start(() => {}, {
      store: { ...real, claim: (request) => (failures-- > 0 ? Promise.reject(new Error('too many clients')) : real.claim(request)) },
    });
    await enqueue(database.db, work, { n: 1 });
    await events.waitFor('job.succeeded');
    expect(events.named('database.recovered')).toMatchObject([{ during: 'claim', failures: 4 }]);
    expect(events.named('database.failed').length).toBeLessThan(4);
  });
});
