import { defineCatalog, defineJob } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { createFakeClock, createMemoryQueue, drain, startTestWorker } from '@duework/testing';
import { echo } from '@duework/testing/fixtures';
import { z } from 'zod';

test('where the store takes no part in transactions, a handler that calls completeIn gets not_supported, and its run is dead', async () => {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock, capabilities: { transactional: false } });
  const { worker, events } = await startTestWorker(queue, {
    catalog: defineCatalog([echo]),
    clock,
    handlers: {
      echo: ({ completeIn }) => completeIn({ $queryRaw: () => Promise.reject(new Error('there is no SQL here')) }),
    },
  });
  const { id } = await queue.enqueue(echo, { n: 1 });
  await drain(queue, { events, clock });
  await worker.stop({ deadlineMs: 0 });
  const { job } = await queue.getJob(id);
  // trying again would change nothing
  expect(job).toMatchObject({ status: 'dead', attempts: 1, errorCode: 'not_supported' });
});

test('where the store keeps no steps, a worker with a durable contract does not start', async () => {
  const lasting = defineJob({ type: 'lasting', payload: z.object({}), durable: true });
  const queue = createMemoryQueue({ clock: createFakeClock(), capabilities: { steps: false } });
  await expect(
    startTestWorker(queue, { catalog: defineCatalog([lasting]), handlers: { lasting: () => {} } }),
  ).rejects.toMatchObject({ code: 'not_supported', facts: { asked: 'durable', capability: 'steps' } });
});
