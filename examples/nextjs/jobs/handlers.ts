import { complete, type Handlers } from 'duework';
import { prisma } from '../lib/prisma';
import type { catalog } from './contracts';

export const handlers: Handlers<typeof catalog> = {
  send_receipt: async ({ payload, log }) => {
    // your mail service comes here
    await prisma.order.update({ where: { id: payload.orderId }, data: { receiptSentAt: new Date() } });
    log.info({ orderId: payload.orderId }, 'sent the receipt');
    return complete();
  },
};
