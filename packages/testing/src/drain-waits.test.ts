import { defineCatalog, defineJob, defineSignal } from '@duework/contracts';
import { complete, enqueue, signal, type Handlers } from '@duework/queue-core';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { createFakeClock } from './create-fake-clock.js';
import { useTestDatabase } from './fixtures/use-test-database.js';
import { drain } from './kit/drain-jobs.js';
import { createMemoryQueue } from './memory/create-memory-queue.js';
import { untilJob } from './fixtures/until-job.js';

const database = useTestDatabase();
const paid = defineSignal({ name: 'paid', by: ['n'], payload: z.object({ n: z.int() }) });
const order = defineJob({ type: 'order', payload: z.object({ n: z.int() }), durable: true });
const catalog = defineCatalog([order]);
const handlers: Handlers<typeof catalog> = {
  order: async ({ payload: { n }, sleep, waitFor }) => {
    const payment = await waitFor(paid, { where: { n }, timeout: '30m' });
    if (payment === null) return complete('not paid');
    await sleep('6h');
    return complete('asked for a review');
  },
};

test('in memory a drain moves the fake clock on over what handlers wait for', async () => {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  const [unpaid, bought] = [await queue.enqueue(order, { n: 1 }), await queue.enqueue(order, { n: 2 })];
  await queue.signal(paid, { n: 2 });
  await drain(queue, { catalog, handlers, clock, untilEmpty: true });
  expect(await queue.result(order, unpaid.id)).toBe('not paid');
  expect(await queue.result(order, bought.id)).toBe('asked for a review');
  expect(clock.monotonicMs()).toBeGreaterThanOrEqual(6 * 3_600_000);
});

test('on a database it ends what handlers sleep for', async () => {
  const [unpaid, bought] = [await enqueue(database.db, order, { n: 1 }), await enqueue(database.db, order, { n: 2 })];
  await signal(database.db, paid, { n: 2 });
  expect(await drain(database.db, { catalog, handlers, untilEmpty: true })).toMatchObject({ succeeded: 2, failed: 0 });
  for (const [id, result] of [
    [unpaid.id, 'not paid'],
    [bought.id, 'asked for a review'],
  ] as const)
    expect(await untilJob(database.db, id)).toMatchObject({ result });
});

test('in memory an approval is decided by the signal of that name, and asked again until then', async () => {
  const clock = createFakeClock();
  const queue = createMemoryQueue({ clock });
  const decision = defineSignal({
    name: 'duework.approval',
    by: ['job', 'wait'],
    payload: z.object({ job: z.string(), wait: z.string(), choice: z.string(), by: z.string() }),
  });
  const rounds: number[] = [];
  const asking: Handlers<typeof catalog> = {
    order: async ({ waitForApproval }) => {
      const ask = ({ round }: { readonly round: number }) => void rounds.push(round);
      const answer = await waitForApproval({ title: 'Refund?', timeout: '30m', remindAfter: ['10m', '10m'], ask });
      return complete(answer === null ? 'nobody' : `${answer.choice} by ${answer.by}`);
    },
  };
  const [decided, left] = [await queue.enqueue(order, { n: 1 }), await queue.enqueue(order, { n: 2 })];
  await queue.signal(decision, { job: decided.id, wait: 'approval', choice: 'approve', by: 'ana' });
  await drain(queue, { catalog, handlers: asking, clock, untilEmpty: true });
  expect(await queue.result(order, decided.id)).toBe('approve by ana');
  expect(await queue.result(order, left.id)).toBe('nobody');
  expect(rounds.toSorted()).toEqual([0, 0, 1, 2]);
});
