import { defineCatalog, defineJob } from '@duework/contracts';
import { createFakeClock, createMemoryQueue, startTestWorker } from '@duework/testing';
import { expect, test } from '@jest/globals';
import { z } from 'zod';

const catalog = defineCatalog([defineJob({ type: 'greet', payload: z.object({}) })]);

// the environment of the tests fails a test in which Node warns
test('a worker does as many chores as it is given at once, and Node does not take their waiting for a leak', async () => {
  const clock = createFakeClock();
  const { store } = createMemoryQueue({ clock });
  const acted = new Set<number>();
  const chores = Array.from({ length: 30 }, (_, n) => ({
    name: `chore ${n}`,
    intervalMs: 10_000,
    act: async () => void acted.add(n),
  }));
  const { worker } = await startTestWorker<typeof catalog>(
    { store },
    { catalog, handlers: { greet: () => {} }, clock, chores },
  );
  await clock.advance(1_000);
  expect(acted.size).toBe(chores.length);
  const stopped = worker.stop({ deadlineMs: 1_000 });
  await clock.advance(1_000);
  await stopped;
});
