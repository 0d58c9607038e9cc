import { complete, type Handlers } from 'duework';
import { pool } from '../pool.js';
import type { catalog } from './contracts.js';

export const handlers: Handlers<typeof catalog> = {
  send_receipt: async ({ payload, log }) => {
    // your mail service comes here
    await pool.query('UPDATE orders SET receipt_sent_at = now() WHERE id = $1', [payload.orderId]);
    log.info({ orderId: payload.orderId }, 'sent the receipt');
    return complete();
  },
};
