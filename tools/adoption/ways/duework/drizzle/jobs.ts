import { defineCatalog, defineJob, type Handlers } from 'duework';
import { z } from 'zod';

export const sendReceipt = defineJob({ type: 'send_receipt', payload: z.object({ orderId: z.int() }) });
export const catalog = defineCatalog([sendReceipt]);
export const handlers: Handlers<typeof catalog> = {
  send_receipt: ({ payload }) => console.log('receipt of order', payload.orderId),
};
