import { defineCatalog } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import type { ClaimRequest } from '../ports/runs.js';
import { createFakeClock, createMemoryQueue, startTestWorker } from '@duework/testing';
import type { EngineMessage } from '../leases/heartbeat.js';
import { echo } from '@duework/testing/fixtures';

/**
 * The moments at which an idle worker claims, for `forMs`. Its claims announce a run at `dueAtMs`; a message wakes it
 * at `wokenAtMs`.
 */
async function looks(
  forMs: number,
  {
    pollIntervalMs = 1_000,
    dueAtMs = Infinity,
    wokenAtMs = Infinity,
    queue = null as string | null,
    message = { kind: 'woken', queue } as EngineMessage,
    isPartial = false,
    random = (): number => 0.5,
  } = {},
): Promise<number[]> {
  const clock = createFakeClock();
  const startMs = clock.monotonicMs();
  const times: number[] = [];
  let tell: (message: EngineMessage) => void = () => {};
  const store = {
    ...createMemoryQueue({ clock }).store,
    claim: async () => {
      const nowMs = clock.monotonicMs() - startMs;
      times.push(nowMs);
      return { runs: [], dueInMs: dueAtMs > nowMs && dueAtMs !== Infinity ? dueAtMs - nowMs : null, isPartial };
    },
    watch: (listener: (message: never) => void) => {
      tell = listener as (message: EngineMessage) => void;
      return () => {};
    },
  };
  const { worker } = await startTestWorker(
    { store },
    { catalog: defineCatalog([echo]), handlers: { echo: () => {} }, clock, pollIntervalMs, random },
  );
  if (wokenAtMs < forMs) {
    await clock.advance(wokenAtMs);
    tell(message);
    await clock.advance(forMs - wokenAtMs);
  } else await clock.advance(forMs);
  const stopped = worker.stop({ deadlineMs: 0 });
  await clock.advance(10_000);
  await stopped;
  return times.filter((ms) => ms <= forMs);
}

test('a worker with nothing to do polls less and less often, up to its interval', async () => {
  expect(await looks(4_000)).toEqual([0, 2, 6, 14, 30, 62, 126, 254, 510, 1_022, 2_022, 3_022]);
  expect(await looks(400, { pollIntervalMs: 100 })).toEqual([0, 2, 6, 14, 30, 62, 126, 226, 326]);
});

test('a sleeping worker wakes when the next run becomes due, not at its next poll', async () => {
  expect(await looks(800, { dueAtMs: 700 })).toEqual([0, 2, 6, 14, 30, 62, 126, 254, 510, 700]);
});

test('a worker that receives a wake-up claims at once, and polls often for a while', async () => {
  expect(await looks(1_400, { wokenAtMs: 1_300 })).toEqual([
    0, 2, 6, 14, 30, 62, 126, 254, 510, 1_022, 1_300, 1_302, 1_306, 1_314, 1_330, 1_362,
  ]);
  expect(await looks(1_310, { wokenAtMs: 1_300, queue: 'default' })).toContain(1_300);
});

test('a run enqueued for another queue does not wake the worker', async () => {
  expect(await looks(1_400, { wokenAtMs: 1_300, queue: 'other' })).not.toContain(1_300);
});

const chosen: EngineMessage = { kind: 'chosen', isLater: false, passOn: () => {} };

test('a worker that a wake-up has chosen claims once, because nothing was left out', async () => {
  const before = [0, 2, 6, 14, 30, 62, 126, 254, 510, 1_022];
  for (const isLater of [false, true])
    expect(await looks(2_400, { wokenAtMs: 1_300, message: { ...chosen, isLater } })).toEqual([
      ...before,
      1_300,
      2_300,
    ]);
});

test('a worker that a wake-up has chosen claims again where its claim may have missed the run', async () => {
  expect(await looks(1_320, { wokenAtMs: 1_300, message: chosen, isPartial: true })).toContain(1_302);
});

test('a spare looks once, a little after the others', async () => {
  const message: EngineMessage = { kind: 'spare', doubt: () => {} };
  expect((await looks(2_305, { wokenAtMs: 1_300, message })).slice(-2)).toEqual([1_022, 1_310]);
});

test('a worker whose chosen claim took a run still wakes when the next one, of which it knew, becomes due', async () => {
  const clock = createFakeClock();
  const startMs = clock.monotonicMs();
  const times: number[] = [];
  let tell: (message: EngineMessage) => void = () => {};
  const memory = createMemoryQueue({ clock });
  const store = {
    ...memory.store,
    claim: async (request: ClaimRequest) => {
      const nowMs = clock.monotonicMs() - startMs;
      times.push(nowMs);
      const claim = await memory.store.claim(request);
      return { ...claim, dueInMs: claim.runs.length === 0 && nowMs < 1_700 ? 1_700 - nowMs : null };
    },
    watch: (listener: (message: never) => void) => {
      tell = listener as (message: EngineMessage) => void;
      return () => {};
    },
  };
  await memory.enqueue(echo, { n: 1 }, { delay: '1700ms' });
  const { worker, events } = await startTestWorker(
    { store },
    { catalog: defineCatalog([echo]), handlers: { echo: () => {} }, clock, pollIntervalMs: 60_000, random: () => 0.5 },
  );
  await clock.advance(1_300);
  await memory.enqueue(echo, { n: 2 });
  tell(chosen);
  await clock.advance(399);
  expect(times.filter((ms) => ms > 1_022)).toEqual([1_300]);
  await clock.advance(1);
  await events.waitFor('job.succeeded', 2);
  const stopped = worker.stop({ deadlineMs: 0 });
  await clock.advance(10_000);
  await stopped;
});

test('fifty workers that started together do not look together: their polls are spread by a fifth either way', async () => {
  const last = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => (await looks(10_000, { random: () => n / 50 })).at(-1)!),
  );
  expect(new Set(last.map(Math.round)).size).toBeGreaterThan(40);
  const [soonest, latest] = await Promise.all([0, 1 - 1e-9].map((at) => looks(10_000, { random: () => at })));
  expect(soonest!.at(-1)! - soonest!.at(-2)!).toBeCloseTo(800);
  expect(latest!.at(-1)! - latest!.at(-2)!).toBeCloseTo(1_200);
});
