import { defineCatalog } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { pause } from '../clock.js';
import { createMemoryQueue } from '../store/create-memory-queue.js';
import { createFakeClock } from '../testing/create-fake-clock.js';
import { echo } from '../testing/internal/test-contracts.js';
import { startTestWorker } from '../testing/start-test-worker.js';
import { jobRequest } from '../enqueue.js';

const catalog = defineCatalog([echo]);

/** A queue in memory whose handlers take as long as `takesMs` says, and workers on it. */
function arrange(takesMs: (n: number) => number) {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  const start = () =>
    startTestWorker<typeof catalog>(queue, { catalog, clock, concurrency: 1, buffer: 5, handlers: { echo: ({ payload, signal }) => pause(clock, takesMs(payload.n), signal) } });
  const stop = async (workers: readonly { stop(options: { deadlineMs: number }): Promise<unknown> }[]): Promise<void> => {
    const stopped = Promise.all(workers.map((worker) => worker.stop({ deadlineMs: 0 })));
    await clock.advance(10_000);
    await stopped;
  };
  return { clock, queue, start, stop };
}

test('what was claimed ahead does not wait behind handlers that have become slow: it goes back uncharged, to a worker with a free slot', async () => {
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
  expect(idle.events.named('job.succeeded').map(({ run }) => run)).toMatchObject(others.map(({ id }) => ({ id, attempt: 1, fence: 2 })));
  await stop([slow.worker, idle.worker]);
});

test('slow handlers claim nothing ahead', async () => {
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
