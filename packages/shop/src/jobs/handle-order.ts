import { defineJob, defineSignal } from '@duework/contracts';
import { z } from 'zod';

const time = z.templateLiteral([z.int(), z.enum(['s', 'm', 'h', 'd'])]).refine((text) => text[0] !== '-');

/** Sees an order through: reserved, paid in time or cancelled, invoiced, and reviewed. */
export const handleOrder = defineJob({
  type: 'handle_order',
  payload: z.object({ orderId: z.int().positive(), payWithin: time.default('30m'), reviewAfter: time.default('7d') }),
  durable: true,
  idempotencyKey: ({ orderId }) => `order:${orderId}`,
});

/** Sent in the transaction that makes the order PAID. */
export const orderPaid = defineSignal({
  name: 'order_paid',
  by: ['orderId'],
  payload: z.object({ orderId: z.int().positive() }),
});
