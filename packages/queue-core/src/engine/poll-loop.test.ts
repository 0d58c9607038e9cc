import { defineCatalog } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { createFakeClock, createMemoryQueue, startTestWorker } from '@duework/testing';
import type { WakeMessage } from '../ports/wakes.js';
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
    random = (): number => 0.5,
  } = {},
): Promise<number[]> {
  const clock = createFakeClock();
  const startMs = clock.monotonicMs();
  const times: number[] = [];
  let tell: (message: WakeMessage) => void = () => {};
  const store = {
    ...createMemoryQueue({ clock }).store,
    claim: async () => {
      const nowMs = clock.monotonicMs() - startMs;
      times.push(nowMs);
      return { runs: [], dueInMs: dueAtMs > nowMs && dueAtMs !== Infinity ? dueAtMs - nowMs : null };
    },
    watch: (listener: (message: WakeMessage) => void) => {
      tell = listener;
      return () => {};
    },
  };
  const { worker } = await startTestWorker(
    { store },
    { catalog: defineCatalog([echo]), handlers: { echo: () => {} }, clock, pollIntervalMs, random },
  );
  if (wokenAtMs < forMs) {
    await clock.advance(wokenAtMs);
    tell({ kind: 'woken', queue });
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

test('fifty workers that started together do not look together: their polls are spread by a fifth either way', async () => {
  const last = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => (await looks(10_000, { random: () => n / 50 })).at(-1)!),
  );
  expect(new Set(last.map(Math.round)).size).toBeGreaterThan(40);
  const [soonest, latest] = await Promise.all([0, 1 - 1e-9].map((at) => looks(10_000, { random: () => at })));
  expect(soonest!.at(-1)! - soonest!.at(-2)!).toBeCloseTo(800);
  expect(latest!.at(-1)! - latest!.at(-2)!).toBeCloseTo(1_200);
});
