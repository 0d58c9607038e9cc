import { catalog, sendReceipt } from '@acme/contracts';
import { assertEnqueued, createMemoryQueue } from 'duework/testing';

test('a receipt is enqueued, and its contract is that of the catalog', async () => {
  const queue = createMemoryQueue();
  await queue.enqueue(sendReceipt, { orderId: 7, to: 'a@example.com' });
  await assertEnqueued(queue, catalog[0], { payload: { orderId: 7 }, count: 1 });
});
