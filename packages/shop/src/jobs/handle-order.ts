import { defineJob, defineSignal } from '@duework/contracts';
import { z } from 'zod';

const time = z
  .templateLiteral([z.int(), z.enum(['s', 'm', 'h', 'd'])])
  .refine((text) => parseInt(text, 10) > 0, 'is longer than no time at all');

/** Sees an order through: reserved, paid in time or cancelled, invoiced, and reviewed. */
export const handleOrder = defineJob({
  type: 'handle_order',
  payload: z.object({
    orderId: z.int().positive(),
    payWithin: time.default('30m'),
    reviewAfter: time.default('7d'),
  }),
  durable: true,
  timeout: '30s',
  idempotencyKey: ({ orderId }) => `order:${orderId}`,
});

/** Sent in the transaction that makes the order PAID. */
export const orderPaid = defineSignal({
  name: 'order_paid',
  by: ['orderId'],
  payload: z.object({ orderId: z.int().positive() }),
});
