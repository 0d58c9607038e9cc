import { defineCatalog, defineJob, fixed } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import { z } from 'zod';
import { createFakeClock } from '../../create-fake-clock.js';
import { drain } from '../../kit/drain-jobs.js';
import { startTestWorker } from '../../start-test-worker.js';
import { createMemoryQueue } from '../create-memory-queue.js';

const base = { payload: z.object({ n: z.int(), of: z.int() }), retry: fixed('1ms') };
const mail = defineJob({ ...base, type: 'mail', limits: [{ max: 2 }], order: 'of' });
const call = defineJob({ ...base, type: 'call', rate: { max: 1, per: '1s' } });

test('workers of a queue in memory keep its limits and orders, and run everything', async () => {
  const queue = createMemoryQueue();
  const catalog = defineCatalog([mail]);
  const ran: { n: number; of: number }[] = [];
  let running = 0;
  let most = 0;
  const handlers = {
    mail: async ({ payload }: { payload: { n: number; of: number } }) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
      ran.push(payload);
    },
  };
  const { worker } = await startTestWorker<typeof catalog>(queue, { catalog, handlers });
  try {
    await queue.enqueueMany(Array.from({ length: 40 }, (_, n) => jobRequest(mail, { n, of: n % 4 })));
    const { succeeded } = await drain(queue, { catalog, handlers });
    expect(succeeded).toBeLessThanOrEqual(40);
    while (ran.length < 40) await new Promise((resolve) => setTimeout(resolve, 1));
  } finally {
    await worker.stop({ deadlineMs: 0 });
  }
  expect(most).toBe(2);
  for (const value of [0, 1, 2, 3]) {
    const order = ran.filter((run) => run.of === value).map(({ n }) => n);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  }
});

test('a worker of a queue in memory starts the next run of a rate when its time has come', async () => {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  const catalog = defineCatalog([call]);
  const startedMs: number[] = [];
  const began = clock.monotonicMs();
  const handlers = { call: async () => void startedMs.push(clock.monotonicMs() - began) };
  const { worker } = await startTestWorker<typeof catalog>(queue, { catalog, handlers, clock });
  try {
    await queue.enqueueMany(Array.from({ length: 3 }, (_, n) => jobRequest(call, { n, of: 0 })));
    await clock.advance(3_000);
  } finally {
    const stopped = worker.stop({ deadlineMs: 0 });
    await clock.advance(100);
    await stopped;
  }
  expect(startedMs).toHaveLength(3);
  expect(startedMs[1]! - startedMs[0]!).toBeGreaterThanOrEqual(999);
  expect(startedMs[2]! - startedMs[0]!).toBeLessThan(2_100);
});
