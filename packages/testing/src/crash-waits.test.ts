import { defineCatalog, defineJob, defineSignal, fixed } from '@duework/contracts';
import { complete, CRASH_POINTS, WAIT_CRASH_POINTS, type CrashPoint, type Handlers } from '@duework/queue-core';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { crashAt } from './crash-at.js';
import { createFakeClock } from './create-fake-clock.js';
import { drain } from './drain.js';
import { createMemoryQueue } from './memory/create-memory-queue.js';
import { startTestWorker } from './start-test-worker.js';

const payload = z.object({ n: z.int() });
const common = { payload, lease: '5s', retry: fixed('1s') } as const;
const order = defineJob({ ...common, type: 'order', durable: true, result: z.array(z.string()) });
const pack = defineJob({ ...common, type: 'pack', result: z.object({ box: z.string() }) });
const paid = defineSignal({ name: 'paid', by: ['n'], payload: z.object({ n: z.int(), amount: z.int() }) });
const catalog = defineCatalog([order, pack]);

/** An order that does something of everything, and what was done outside, by step. */
function makeHandlers(did: string[]): Handlers<typeof catalog> {
  return {
    order: async ({ payload: { n }, step, sleep, waitFor, child }) => {
      const seat = await step('reserve', () => `seat ${did.push('reserve') > 0 ? n : 0}`);
      const [payment, { box }] = await Promise.all([
        waitFor(paid, { where: { n } }),
        child(pack, { n }),
        step('note', () => void did.push('note')),
      ]);
      await sleep('1m');
      const none = await waitFor(paid, { where: { n }, timeout: '1m', name: 'tip' });
      return complete([seat, `paid ${payment.amount}`, box, `tip ${none?.amount ?? 'none'}`]);
    },
    pack: ({ payload: { n } }) => {
      did.push('pack');
      return complete({ box: `box ${n}` });
    },
  };
}

/** The order comes to no point more often. */
const VISITS = [1, 2, 3, 4];
const points = [...CRASH_POINTS, ...WAIT_CRASH_POINTS].filter((point) => !point.startsWith('effect'));
const deaths = points.flatMap((point) => VISITS.map((nth) => [point, nth] as const));

test.each(deaths)(
  'a worker that dies at %s, visit %i, is followed by one that ends the order as if nothing had been',
  async (point, nth) => {
    const clock = createFakeClock();
    const queue = createMemoryQueue({ clock });
    const did: string[] = [];
    const crash = crashAt(point as CrashPoint, { store: queue.store, clock, nth });
    const first = await startTestWorker<typeof catalog>(queue, {
      catalog,
      handlers: makeHandlers(did),
      ...crash.options,
    });
    const { id } = await queue.enqueue(order, { n: 7 });
    await queue.signal(paid, { n: 7, amount: 5 });
    await drain(queue, { events: first.events, clock, timeoutMs: 300 }).catch(() => {});
    const second = await startTestWorker<typeof catalog>(queue, { catalog, handlers: makeHandlers(did), clock });
    await drain(queue, { events: second.events, clock, untilEmpty: true });
    expect(await queue.result(order, id)).toEqual(['seat 7', 'paid 5', 'box 7', 'tip none']);
    // what is done outside of a transaction is done again where the death came before it was written down
    for (const name of ['reserve', 'note', 'pack']) expect([1, 2]).toContain(did.filter((one) => one === name).length);
    expect((await queue.findJobs({ type: 'pack' })).jobs).toHaveLength(1);
    crash.wake();
    await Promise.all([first.worker.stop({ deadlineMs: 0 }), second.worker.stop({ deadlineMs: 0 })]);
  },
);
