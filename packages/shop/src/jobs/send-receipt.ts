import { defineJob, exponential } from '@duework/contracts';
import { z } from 'zod';

/** Mails a receipt. The drill before every release runs this job. */
export const sendReceipt = defineJob({
  type: 'send_receipt',
  payload: z.object({
    receiptId: z.string().min(1).max(64),
    email: z.email().max(254),
    amountCents: z.int().nonnegative(),
    currency: z.string().regex(/^[A-Z]{3}$/),
  }),
  result: z.object({ messageId: z.string(), reply: z.string() }),
  retry: exponential({ base: '2s', cap: '10m' }),
  timeout: '30s',
  lease: '5s',
  idempotencyKey: ({ receiptId }) => `receipt:${receiptId}`,
});
