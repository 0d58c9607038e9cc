import { defineCatalog, defineJob } from 'duework';
import { z } from 'zod';

export const sendReceipt = defineJob({ type: 'send_receipt', payload: z.object({ orderId: z.int() }) });
export const catalog = defineCatalog([sendReceipt]);
export const handlers = {
  send_receipt: ({ payload }) => console.log('receipt of order', payload.orderId),
};
