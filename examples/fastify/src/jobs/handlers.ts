import { complete, type Handlers } from 'duework';
import { eq } from 'drizzle-orm';
import { db, orders } from '../db.js';
import type { catalog } from './contracts.js';

export const handlers: Handlers<typeof catalog> = {
  send_receipt: async ({ payload, log }) => {
    // your mail service comes here
    await db.update(orders).set({ receiptSentAt: new Date() }).where(eq(orders.id, payload.orderId));
    log.info({ orderId: payload.orderId }, 'sent the receipt');
    return complete();
  },
};
