import { defineJob } from '@duework/contracts';
import { z } from 'zod';
import { handleOrder } from './handle-order.js';

/** Asks the desk, by mail, whether an order is shipped before it is paid. */
export const approveCredit = defineJob({
  type: 'approve_credit',
  payload: z.object({ orderId: z.int().positive(), within: handleOrder.payload.shape.payWithin }),
  durable: true,
  idempotencyKey: ({ orderId }) => `credit:${orderId}`,
});
