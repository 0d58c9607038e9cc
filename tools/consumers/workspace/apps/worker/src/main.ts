/** Does one job, says which, and stops. */
import { catalog } from '@acme/contracts';
import { complete, type Handlers } from 'duework';
import { runWorker } from 'duework/worker';

export const handlers: Handlers<typeof catalog> = {
  send_receipt: ({ payload: { orderId } }) => {
    console.log(`done: order ${orderId}`);
    return complete({ number: `R-${orderId}` });
  },
  count_stock: () => new Map(),
};
export const { send_receipt: sendReceipt } = handlers;

const stopping = new AbortController();
export const ended = runWorker({
  catalog,
  handlers,
  workerPort: 'none',
  signal: stopping.signal,
  onEvent: ({ name }) => {
    if (name === 'job.succeeded') stopping.abort();
  },
});
await ended;
