import { catalog } from '@acme/contracts';
import { complete, type Handlers } from 'duework';

export { catalog } from '@acme/contracts';

export const handlers: Handlers<typeof catalog> = {
  send_receipt: ({ payload: { orderId } }) => {
    console.log(`done: order ${orderId}`);
    return complete({ number: `R-${orderId}` });
  },
  count_stock: () => new Map(),
};
export const { send_receipt: sendReceipt } = handlers;
