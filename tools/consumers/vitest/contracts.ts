import { complete, defineCatalog, defineJob, enqueue, type Handlers, type Queryable } from 'duework';
import { z } from 'zod';

export const sendReceipt = defineJob({ type: 'send_receipt', payload: z.object({ orderId: z.number() }) });
export const catalog = defineCatalog([sendReceipt]);

export const sent: number[] = [];
export const handlers: Handlers<typeof catalog> = {
  send_receipt: ({ payload }) => {
    sent.push(payload.orderId);
    return complete({ sent: payload.orderId });
  },
};

export const pay = (db: Queryable, orderId: number) => enqueue(db, sendReceipt, { orderId });
