import { DueworkError } from 'duework';
import { createMemoryQueue, drain, startTestWorker } from 'duework/testing';
import { catalog, handlers, pay, sendReceipt, sent } from './contracts';

test('a job is done by its handler', async () => {
  const queue = createMemoryQueue();
  await queue.enqueue(sendReceipt, { orderId: 7 });
  const { worker, events } = await startTestWorker(queue, { catalog, handlers });
  await drain(queue, { events });
  await worker.stop({ deadlineMs: 0 });
  expect(sent).toEqual([7]);
});

test('a wrong payload is refused, and the error is known', async () => {
  const error = await pay({} as never, 'seven' as never).catch((thrown: unknown) => thrown);
  expect(DueworkError.is(error, 'invalid_payload')).toBe(true);
});
