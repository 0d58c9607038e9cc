import { complete, type Handlers } from 'duework';
import { db } from '../db.js';
import type { catalog } from './contracts.js';

export const handlers: Handlers<typeof catalog> = {
  send_receipt: async ({ payload, log }) => {
    // your mail service comes here
    await db.updateTable('orders').set({ receipt_sent_at: new Date() }).where('id', '=', payload.orderId).execute();
    log.info({ orderId: payload.orderId }, 'sent the receipt');
    return complete();
  },
};
