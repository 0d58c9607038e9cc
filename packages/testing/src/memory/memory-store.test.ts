import { createFakeClock } from '../create-fake-clock.js';
import { createMemoryQueue } from './create-memory-queue.js';
import { describeStore } from '../conformance/describe-store.js';

describeStore('the store in memory', async () => {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  return {
    store: queue.store,
    queue,
    tx: { $queryRaw: () => Promise.reject(new Error('there is no SQL here')) },
    passTime: (ms) => clock.advance(ms),
  };
});
