import { describe, expect, test } from '@jest/globals';
import { enqueue, enqueueMany, jobRequest } from '../enqueue/enqueue.js';
import { getJob } from '../queue/operate.js';
import { complete } from '../settle/outcome.js';
import { aborted, gate, useWorkers, work } from '@duework/testing/fixtures';

const { database, start } = useWorkers();

describe('a worker that stops', () => {
  test('finishes what runs, releases what only waited, and claims nothing new', async () => {
    const [started, finish] = [gate(), gate()];
    const { worker, events } = await start(
      async ({ payload }) => {
        if (payload.n === 0) return;
        started.open();
        await finish.promise;
      },
      { concurrency: 1, buffer: 2 },
    );
    // quick ones, after which it claims ahead: so many that one during which this process stood still does not count
    const quick = Array.from({ length: 60 }, () => jobRequest(work, { n: 0 }));
    await enqueueMany(database.db, quick);
    await events.waitFor('job.succeeded', quick.length);
    const jobs = await enqueueMany(
      database.db,
      [1, 2, 3].map((n) => jobRequest(work, { n })),
    );
    await Promise.all([events.waitFor('job.claimed', quick.length + 3), started.promise]);
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

  test('releases the rest uncharged after the deadline, and another worker gets it at once', async () => {
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

  test('releases the run of a handler that ignores its signal, and the late outcome is lost', async () => {
    const finish = gate();
    const { worker, events } = await start(() => finish.promise);
    const { id } = await enqueue(database.db, work, { n: 1 });
    await events.waitFor('job.claimed');
    await worker.stop({ deadlineMs: 0 });
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'queued', attempts: 0 });
    finish.open();
    expect((await getJob(database.db, id)).job.status).toBe('queued');
  });

  test('stops only once when stop is called twice', async () => {
    const { worker, events } = await start(() => {});
    await Promise.all([worker.stop({ deadlineMs: 10 }), worker.stop({ deadlineMs: 10 })]);
    expect(events.named('worker.stopped')).toHaveLength(1);
  });
});
