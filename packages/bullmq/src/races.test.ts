import { expect, test } from '@jest/globals';
import { DueworkError, jobRequest } from '@duework/queue-core';
import type { ClaimedRun } from '@duework/queue-core/ports';
import { echo } from '@duework/testing/fixtures';
import { createBullmqStore, openBullmqQueue } from './index.js';
import { passTimeInRedis } from './testing/pass-time.js';
import { useRedis } from './testing/use-redis.js';

const redis = useRedis({ appendfsync: 'no' });
const contracts = new Map([['echo', echo]]);

/** Claims on a connection of its own until nothing is due any more, a few at a time. */
async function claimAll(): Promise<ClaimedRun[]> {
  const store = createBullmqStore({ connection: redis.connect() });
  const claimed: ClaimedRun[] = [];
  for (;;) {
    const { runs } = await store.claim({ queue: 'default', contracts, worker: 'w', limit: 3 });
    if (runs.length === 0) return claimed;
    claimed.push(...runs);
  }
}

test('a cancel and a claim of one moment: one comes first, and the other sees it', async () => {
  const queue = openBullmqQueue({ connection: redis.connect() });
  const jobs = await queue.enqueueMany(Array.from({ length: 300 }, (_, n) => jobRequest(echo, { n })));
  const cancelling = Promise.all(jobs.map(({ id }) => queue.cancelJob(id, { by: 'ada' })));
  const [answers, first, second] = await Promise.all([cancelling, claimAll(), claimAll()]);
  const claimed = new Map([...first, ...second].map((run) => [run.id, run]));
  expect(new Set(answers).has('cancelled')).toBe(true);
  for (const [at, { id }] of jobs.entries()) {
    const { job } = await queue.getJob(id);
    expect(job.cancelRequestedBy).toBe('ada');
    if (answers[at] === 'cancelled') expect([job.status, claimed.has(id)]).toEqual(['cancelled', false]);
    // asked in the moment of its claim, a run ends before it begins, or its worker hears of it
    else expect(job.status).toBe(claimed.has(id) ? 'running' : 'cancelled');
  }
});

test('an update and a claim of one moment: a run has the new payload or was claimed with the old one, and none is lost', async () => {
  const queue = openBullmqQueue({ connection: redis.connect() });
  const jobs = await queue.enqueueMany(Array.from({ length: 200 }, (_, n) => jobRequest(echo, { n })));
  const updating = Promise.all(
    jobs.map(({ id }) =>
      queue.updateJob(id, { contract: echo, payload: { n: -1 } }).then(
        () => 'updated',
        (error: unknown) => {
          if (DueworkError.is(error, 'job_is_running')) return 'running';
          throw error;
        },
      ),
    ),
  );
  const [answers, first, second] = await Promise.all([updating, claimAll(), claimAll()]);
  const claimed = new Map([...first, ...second, ...(await claimAll())].map((run) => [run.id, run.payload]));
  expect(claimed.size).toBe(200);
  for (const [n, { id }] of jobs.entries())
    expect([answers[n], claimed.get(id)]).toEqual([answers[n], { n: answers[n] === 'updated' ? -1 : n }]);
});

test('many retries and rescues of one moment bring each run back once', async () => {
  const queue = openBullmqQueue({ connection: redis.connect() });
  const store = createBullmqStore({ connection: redis.connect() });
  await queue.enqueueMany(Array.from({ length: 50 }, (_, n) => jobRequest(echo, { n })));
  const { runs } = await store.claim({
    queue: 'default',
    contracts: new Map([['echo', { ...echo, leaseMs: 1 }]]),
    worker: 'gone',
    limit: 50,
  });
  await passTimeInRedis(redis.connect(), 1_000);
  const rescuers = Array.from({ length: 4 }, () => createBullmqStore({ connection: redis.connect() }));
  const rescued = await Promise.all(rescuers.map((one) => one.rescue(100)));
  expect(
    rescued
      .flat()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(runs.map(({ id }) => id).toSorted());
  const again = await claimAll();
  expect(again.map(({ attempt, fence }) => [attempt, fence])).toEqual(runs.map(() => [2, 2]));
});

test('producers that enqueue one key at once on many connections make one job', async () => {
  const queues = Array.from({ length: 10 }, () => openBullmqQueue({ connection: redis.connect() }));
  const jobs = await Promise.all(
    queues.flatMap((queue) => [1, 2, 3].map((n) => queue.enqueue(echo, { n }, { idempotencyKey: 'the one' }))),
  );
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
  expect(jobs.filter(({ isDeduplicated }) => !isDeduplicated)).toHaveLength(1);
});
