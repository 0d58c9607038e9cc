import { expect, test } from '@jest/globals';
import { enqueue } from '../enqueue/enqueue.js';
import { cancelJob, getJob } from '../queue/operate.js';
import { createPostgresStore } from '../store/postgres-store.js';
import { complete } from '../settle/outcome.js';
import { aborted, brief, gate, useWorkers, work } from '@duework/testing/fixtures';
import type { AbortReason } from '../settle/attempt-end.js';

const { database, start } = useWorkers();

test('an attempt that runs for too long is aborted, and fails as a time-out', async () => {
  const reason = gate<unknown>();
  const { events } = await start(() => {}, {
    handlers: {
      work: () => {},
      brief: async ({ signal }) => {
        signal.addEventListener('abort', () => reason.open(signal.reason));
        await aborted(signal);
      },
    },
  });
  const { id } = await enqueue(database.db, brief, {});
  expect(await reason.promise).toMatchObject({ code: 'timeout' });
  await events.waitFor('job.failed');
  expect((await getJob(database.db, id)).job).toMatchObject({ status: 'failed', errorCode: 'timeout', attempts: 1 });
});

test('a handler may give its signal to as many calls as it likes, without a warning', async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warn);
  const { events } = await start(({ signal }) => {
    for (let call = 0; call < 100; call++) signal.addEventListener('abort', () => {}, { once: true });
  });
  await enqueue(database.db, work, { n: 1 });
  await events.waitFor('job.succeeded');
  // warnings come a turn later
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});

test('a handler that ignores its signal is given up, keeps its slot, and can change nothing any more', async () => {
  const ignoring = gate();
  const { worker, events } = await start(() => {}, {
    concurrency: 1,
    handlers: { work: () => {}, brief: () => ignoring.promise },
  });
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
  const reason = gate<AbortReason>();
  const { events } = await start(async ({ signal }) => {
    signal.addEventListener('abort', () => reason.open(signal.reason as AbortReason));
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
  const reason = gate<AbortReason>();
  const finish = gate();
  const { events } = await start(async ({ signal }) => {
    signal.addEventListener('abort', () => reason.open(signal.reason as AbortReason));
    await finish.promise;
    return complete('too late');
  });
  const { id } = await enqueue(database.db, work, { n: 1 });
  await events.waitFor('job.claimed');
  await database.db
    .$executeRaw`UPDATE duework.job_runs SET fence = fence + 1, locked_by = 'another' WHERE id = ${BigInt(id)}`;
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
  const reason = gate<AbortReason>();
  const store = { ...createPostgresStore({ db: database.db }), extendLeases: () => new Promise<never>(() => {}) };
  const { events } = await start(
    async ({ signal, attempt }) => {
      if (attempt > 1) return;
      signal.addEventListener('abort', () => reason.open(signal.reason as AbortReason));
      await aborted(signal);
    },
    { store },
  );
  const { id } = await enqueue(database.db, work, { n: 1 });
  await events.waitFor('job.claimed');
  expect(await reason.promise).toMatchObject({ code: 'lease_lost' });
  // on the database's clock the lease was not over yet
  expect(events.named('run.rescued')).toEqual([]);
  await events.waitFor('job.succeeded');
  expect((await getJob(database.db, id)).attempts).toMatchObject([{ outcome: 'lost' }]);
});
