import { defineCatalog } from '@duework/contracts';
import { describe, expect, test } from '@jest/globals';
import { pause } from '../clock.js';
import { createFakeClock, createMemoryQueue, startTestWorker } from '@duework/testing';
import { echo } from '@duework/testing/fixtures';
import { jobRequest } from '../enqueue/enqueue.js';
import type { ClaimedRun } from '../ports/runs.js';
import { OwnedRun } from './owned-run.js';
import { OwnedRuns } from './owned-runs.js';

const catalog = defineCatalog([echo]);

/** A queue in memory whose handlers take as long as `takesMs` says, and workers on it. */
function arrange(takesMs: (n: number) => number) {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  const start = () =>
    startTestWorker<typeof catalog>(queue, {
      catalog,
      clock,
      concurrency: 1,
      buffer: 5,
      handlers: { echo: ({ payload, signal }) => pause(clock, takesMs(payload.n), signal) },
    });
  const stop = async (
    workers: readonly { stop(options: { deadlineMs: number }): Promise<unknown> }[],
  ): Promise<void> => {
    const stopped = Promise.all(workers.map((worker) => worker.stop({ deadlineMs: 0 })));
    await clock.advance(10_000);
    await stopped;
  };
  return { clock, queue, start, stop };
}

test('a run claimed ahead does not wait behind handlers that have become slow: it is released uncharged, to a worker with a free slot', async () => {
  const { clock, queue, start, stop } = arrange((n) => (n === 1 ? 60_000 : 0));
  const slow = await start();
  await queue.enqueue(echo, { n: 0 });
  await clock.advance(100);
  const [, ...others] = await queue.enqueueMany([1, 2, 3].map((n) => jobRequest(echo, { n })));
  await clock.advance(900);
  expect(slow.worker.activity()).toMatchObject({ running: 1, buffered: 2 });
  const idle = await start();
  await clock.advance(1_000);
  expect(slow.events.named('job.released')).toHaveLength(2);
  expect(slow.worker.activity()).toMatchObject({ running: 1, buffered: 0 });
  expect(idle.events.named('job.succeeded').map(({ run }) => run)).toMatchObject(
    others.map(({ id }) => ({ id, attempt: 1, fence: 2 })),
  );
  await stop([slow.worker, idle.worker]);
});

test('a worker with slow handlers claims nothing ahead', async () => {
  const { clock, queue, start, stop } = arrange(() => 120);
  const { worker, events } = await start();
  await queue.enqueueMany(Array.from({ length: 4 }, (_, n) => jobRequest(echo, { n })));
  for (let done = 1; done <= 3; done++) {
    await clock.advance(120);
    expect(events.named('job.succeeded')).toHaveLength(done);
    expect(events.named('job.claimed').length).toBeLessThanOrEqual(done + 1);
  }
  await stop([worker]);
});

describe('room for a claim', () => {
  /** One slot, whose handlers have taken `averageMs`; so many runs wait for it. */
  function hold({ averageMs, buffer, waiting }: { averageMs: number; buffer: number; waiting: number }): OwnedRuns {
    const owned = new OwnedRuns(1, buffer);
    const add = (id: number): void => void owned.add(new OwnedRun({ id: String(id), fence: 1 } as ClaimedRun, echo, 0));
    add(0);
    owned.remove(owned.startNext()!);
    owned.freeSlot(averageMs);
    for (let id = 1; id <= waiting; id++) add(id);
    return owned;
  }

  test('is there again as soon as a whole claim fits, where handlers are quick', () => {
    expect(hold({ averageMs: 0, buffer: 2_000, waiting: 1_501 }).room()).toBe(0);
    expect(hold({ averageMs: 0, buffer: 2_000, waiting: 1_500 }).room()).toBe(501);
    // with one on its way, for the next one
    expect(hold({ averageMs: 0, buffer: 2_000, waiting: 1_001 }).room(500)).toBe(0);
    expect(hold({ averageMs: 0, buffer: 2_000, waiting: 1_000 }).room(500)).toBe(501);
  });

  test('is there again when half of the buffer is left, where less than a claim is claimed ahead', () => {
    // 50 ms of handlers that take half a millisecond
    expect(hold({ averageMs: 0.5, buffer: 2_000, waiting: 51 }).room()).toBe(0);
    expect(hold({ averageMs: 0.5, buffer: 2_000, waiting: 50 }).room()).toBe(51);
  });
});
