import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { pause } from '../clock.js';
import type { Handler } from '../run/handler.js';
import type { Heartbeat } from '../leases/heartbeat.js';
import { SharedLeases } from '../leases/lease.js';
import { createFakeClock, createMemoryQueue, type FakeClock, startTestWorker } from '@duework/testing';
import type { Store } from '../ports/store.js';

const first = defineJob({ type: 'first', payload: z.object({}), lease: '2s', retry: fixed('1ms') });
const second = defineJob({ type: 'second', payload: z.object({}), lease: '2s', queue: 'other' });
const catalog = defineCatalog([first, second]);

/** A worker with two slots on a queue in memory with one run, whose claims go as `claim` says. */
async function arrange(
  claim: (store: Store, clock: FakeClock) => Store['claim'],
  handler: Handler<typeof first> = () => {},
  { settle, leases }: { settle?: (store: Store) => Store['settle']; leases?: Heartbeat } = {},
) {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  const { id } = await queue.enqueue(first, {});
  const store = {
    ...queue.store,
    claim: claim(queue.store, clock),
    settle: settle?.(queue.store) ?? queue.store.settle,
  };
  const { worker, events } = await startTestWorker<typeof catalog>(
    { store },
    {
      catalog,
      handlers: { first: handler, second: () => {} },
      clock,
      concurrency: 2,
      maintenance: { rescueIntervalMs: 500 },
      ...(leases && { leases }),
    },
  );
  const stop = async (): Promise<void> => {
    const stopped = worker.stop({ deadlineMs: 0 });
    await clock.advance(10_000);
    await stopped;
  };
  return { id, clock, queue, events, stop };
}

test('what one queue has given is started, although the claim of another queue has failed', async () => {
  const asked: string[] = [];
  const { clock, events, stop } = await arrange((store) => async (request) => {
    if (asked.push(request.queue) === 2) throw new Error('the connection was lost');
    return store.claim(request);
  });
  await clock.advance(1_000);
  expect(asked.slice(0, 2)).toEqual(['default', 'other']);
  expect(events.named('job.succeeded')).toHaveLength(1);
  await stop();
});

test.each([
  ['longer than the lease', 2_001],
  ['so long that the lease is over before anybody looks at it', 1_800],
])('a claim whose answer took %s starts no handler: the run goes back, uncharged', async (_, answerMs) => {
  const started: number[] = [];
  const { id, clock, queue, events, stop } = await arrange(
    (store, clock) => async (request) => {
      const claim = await store.claim(request);
      if (claim.runs[0]?.fence === 1) await pause(clock, answerMs);
      return claim;
    },
    ({ fence }) => void started.push(fence),
  );
  await clock.advance(answerMs - 1);
  expect(events.named('job.claimed')).toHaveLength(0);
  await clock.advance(1_000);
  expect(started).toEqual([2]);
  expect((await queue.getJob(id)).job).toMatchObject({ status: 'succeeded', attempts: 1 });
  await stop();
});

test('a handler whose run its own worker has claimed anew is told that its lease is lost', async () => {
  const told: unknown[] = [];
  let handOut = (): void => {};
  const { id, clock, queue, events, stop } = await arrange(
    (store) => async (request) => {
      const claim = await store.claim(request);
      // as a claim that reached the database while this worker was stopped, and was answered when it went on
      if (claim.runs[0]?.fence === 2) await new Promise<void>((resolve) => (handOut = resolve));
      return claim;
    },
    async ({ fence, signal }) => {
      await pause(clock, fence === 1 ? 60_000 : 0, signal);
      told.push([fence, signal.aborted && (signal.reason as { code: string }).code]);
    },
  );
  await clock.advance(100);
  await queue.store.settle([{ kind: 'release', id, fence: 1, reason: null, abort: null }]);
  await clock.advance(10);
  handOut();
  await clock.advance(1);
  expect(told).toEqual([
    [1, 'lease_lost'],
    [2, false],
  ]);
  expect(events.named('job.succeeded').map(({ run }) => run.fence)).toEqual([2]);
  await stop();
});

test('a run that was lost before it could start and is claimed anew keeps its new lease', async () => {
  const { id, clock, queue, events, stop } = await arrange(
    (store, clock) => async (request) => {
      const claim = await store.claim(request);
      // its lease is over by then, and the rescue has given the run back
      if (claim.runs[0]?.fence === 1) await pause(clock, 6_000);
      return claim;
    },
    ({ signal }) => pause(clock, 10_000, signal),
  );
  await clock.advance(20_000);
  expect(events.named('job.claimed').map(({ run }) => run.fence)).toEqual([1, 2]);
  expect(events.named('run.rescued')).toHaveLength(1);
  expect(events.named('job.succeeded').map(({ run }) => run.fence)).toEqual([2]);
  expect((await queue.getJob(id)).job).toMatchObject({ status: 'succeeded', fence: 2 });
  await stop();
});

test('of two claims of one run that a worker holds the later one has a lease, although the settlement of the earlier one is on its way', async () => {
  const shared = new SharedLeases();
  const leases: Heartbeat = {
    isListening: false,
    start: async () => {},
    hold: (lease) => shared.hold(lease),
    letGo: (lease) => shared.letGo(lease),
    renew: () => {},
    stop: async () => {},
  };
  let answer = (): void => {};
  const { clock, events, stop } = await arrange(
    (store) => store.claim,
    ({ fence, signal }) => (fence === 1 ? undefined : pause(clock, 1_000, signal)),
    // the first one never reaches the store, so that the run is rescued
    {
      leases,
      settle: (store) => (batch) =>
        batch[0]!.fence === 1 ? new Promise((resolve) => (answer = () => resolve([null]))) : store.settle(batch),
    },
  );
  while (events.named('job.claimed').length < 2) await clock.advance(100);
  expect(events.named('job.claimed').map(({ run }) => run.fence)).toEqual([1, 2]);
  expect(shared.read().map(({ fence }) => fence)).toEqual([2]);
  answer();
  await clock.advance(10);
  expect(events.named('lease.lost').map(({ run }) => run.fence)).toEqual([1]);
  expect(shared.read().map(({ fence }) => fence)).toEqual([2]);
  await clock.advance(1_000);
  expect(events.named('job.succeeded').map(({ run }) => run.fence)).toEqual([2]);
  expect(shared.read()).toEqual([]);
  await stop();
});

test('a worker that stops while it claims from one queue does not go on to the next', async () => {
  const asked: string[] = [];
  let answer = (): void => {};
  const { clock, stop } = await arrange((store) => async (request) => {
    asked.push(request.queue);
    await new Promise<void>((resolve) => (answer = resolve));
    return store.claim(request);
  });
  await clock.advance(1);
  const stopped = stop();
  await clock.advance(1);
  answer();
  await stopped;
  expect(asked).toEqual(['default']);
});
