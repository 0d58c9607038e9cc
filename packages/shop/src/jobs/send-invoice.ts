import { defineJob, exponential } from '@duework/contracts';
import { z } from 'zod';

/** Mails the PDF invoice of a paid order. Enqueued in the transaction that makes the order PAID. */
export const sendInvoice = defineJob({
  type: 'send_invoice',
  payload: z.object({ orderId: z.int().positive() }),
  retry: exponential({ base: '10s', cap: '1h' }),
  timeout: '30s',
  lease: '15s',
  priority: 3,
  idempotencyKey: ({ orderId }) => `invoice:${orderId}`,
});
