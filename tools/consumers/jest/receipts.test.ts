import { DueworkError } from 'duework';
import { assertEnqueued, createMemoryQueue, performJob } from 'duework/testing';
import { handlers, pay, sendReceipt, sent } from './contracts';

test('a job is done by its handler', async () => {
  expect(await performJob(sendReceipt, { orderId: 7 }, handlers)).toEqual({ outcome: 'complete', result: { sent: 7 } });
  expect(sent).toEqual([7]);
});

test('a service enqueues the job that it should', async () => {
  const queue = createMemoryQueue();
  await queue.enqueue(sendReceipt, { orderId: 8 });
  await assertEnqueued(queue, sendReceipt, { payload: { orderId: 8 }, count: 1 });
});

test('a wrong payload is refused, and the error is known', async () => {
  const error = await pay({} as never, 'seven' as never).catch((thrown: unknown) => thrown);
  expect(DueworkError.is(error, 'invalid_payload')).toBe(true);
});
