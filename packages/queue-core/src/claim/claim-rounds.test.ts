import { defineCatalog } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { pause } from '../clock.js';
import { jobRequest } from '../enqueue/enqueue.js';
import { createFakeClock, createMemoryQueue, startTestWorker } from '@duework/testing';
import type { Claim } from '../ports/runs.js';
import { echo } from '@duework/testing/fixtures';

const CLAIM_MS = 10;

/**
 * A worker on a queue in memory whose claims take 10 ms, and what was asked for; `answer` may change what a claim says.
 */
async function arrange({
  jobs = 0,
  buffer = 2_000,
  mostRuns = Infinity,
  answer = async (claim: Claim, _nth: number): Promise<Claim> => claim,
}) {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  const add = (count: number): Promise<unknown> =>
    queue.enqueueMany(Array.from({ length: count }, (_, n) => jobRequest(echo, { n })));
  if (jobs > 0) await add(jobs);
  const asked: number[] = [];
  const onTheirWay = { now: 0, most: 0 };
  const store: typeof queue.store = {
    ...queue.store,
    claim: async (request) => {
      const nth = asked.push(request.limit);
      if (request.limit > mostRuns) throw new Error('invalid memory alloc request size 1073741824');
      onTheirWay.most = Math.max(onTheirWay.most, ++onTheirWay.now);
      const claim = await queue.store.claim(request);
      await pause(clock, CLAIM_MS);
      onTheirWay.now--;
      return answer(claim, nth);
    },
  };
  const { worker, events } = await startTestWorker(
    { store },
    { catalog: defineCatalog([echo]), handlers: { echo: () => {} }, clock, concurrency: 10, buffer },
  );
  const stop = async (): Promise<{ released: number }> => {
    const stopped = worker.stop({ deadlineMs: 0 });
    await clock.advance(10_000);
    return stopped;
  };
  return { clock, queue, add, asked, onTheirWay, events, stop };
}

test('under a backlog a second claim is sent while the first is on its way, and every run runs once', async () => {
  const { clock, events, onTheirWay, stop } = await arrange({ jobs: 6_000 });
  await clock.advance(1_000);
  expect(onTheirWay.most).toBe(2);
  expect(new Set(events.named('job.succeeded').map(({ run }) => run.id)).size).toBe(6_000);
  expect(events.named('job.claimed')).toHaveLength(6_000);
  await stop();
});

test('where one claim takes all that is due, only one claim is on its way', async () => {
  const { clock, add, events, onTheirWay, stop } = await arrange({});
  for (let wave = 1; wave <= 5; wave++) {
    await add(400);
    await clock.advance(200);
    expect(events.named('job.succeeded')).toHaveLength(400 * wave);
  }
  expect(onTheirWay.most).toBe(1);
  await stop();
});

test('under a backlog from which others claim, too, only one claim is on its way, and every run runs once', async () => {
  const { clock, events, onTheirWay, stop } = await arrange({
    jobs: 6_000,
    answer: async (claim) => ({ ...claim, isShared: true }),
  });
  await clock.advance(1_000);
  expect(onTheirWay.most).toBe(1);
  expect(new Set(events.named('job.succeeded').map(({ run }) => run.id)).size).toBe(6_000);
  await stop();
});

test('claims grow to twice as many runs where others claim from the same backlog, and shrink when those have left', async () => {
  let isShared = true;
  const { clock, asked, onTheirWay, events, stop } = await arrange({
    jobs: 10_000,
    answer: async (claim) => ({ ...claim, isShared }),
  });
  while (Math.max(...asked) < 1_000) await clock.advance(1);
  expect(onTheirWay.most).toBe(1);
  isShared = false;
  await clock.advance(3 * CLAIM_MS);
  asked.length = 0;
  await clock.advance(3_000);
  expect(Math.max(...asked)).toBe(500);
  expect(new Set(events.named('job.succeeded').map(({ run }) => run.id)).size).toBe(10_000);
  await stop();
});

test('a worker with little room asks for no more than it has', async () => {
  const { clock, asked, onTheirWay, stop } = await arrange({ jobs: 3_000, buffer: 100 });
  await clock.advance(1_000);
  expect(Math.max(...asked)).toBeLessThanOrEqual(110);
  expect(onTheirWay.most).toBe(1);
  await stop();
});

test('runs that one claim has taken are run although the other claim on its way has failed', async () => {
  const { clock, queue, events, stop } = await arrange({
    jobs: 3_000,
    answer: async (claim, nth) => {
      if (nth === 3) {
        await queue.store.settle(
          claim.runs.map(({ id, fence }) => ({ kind: 'release', id, fence, reason: null, abort: null })),
        );
        throw new Error('the connection was lost');
      }
      return claim;
    },
  });
  await clock.advance(2_000);
  expect(events.named('database.failed')).toMatchObject([{ during: 'claim' }]);
  expect(new Set(events.named('job.succeeded').map(({ run }) => run.id)).size).toBe(3_000);
  await stop();
});

test('a worker that stops gives back what both of its claims have taken', async () => {
  const { clock, queue, onTheirWay, events, stop } = await arrange({ jobs: 3_000 });
  while (onTheirWay.now < 2) await clock.advance(1);
  await stop();
  expect(onTheirWay.now).toBe(0);
  expect(events.named('job.released').length).toBeGreaterThanOrEqual(1_000);
  const { jobs } = await queue.findJobs({ status: 'running', limit: 1 });
  expect(jobs).toEqual([]);
});

test('a claim whose answer is too large is repeated with a smaller limit', async () => {
  const { clock, asked, events, stop } = await arrange({ jobs: 2_000, mostRuns: 100 });
  await clock.advance(60_000);
  expect(Math.max(...asked)).toBe(500);
  expect(new Set(events.named('job.succeeded').map(({ run }) => run.id)).size).toBe(2_000);
  await stop();
});
