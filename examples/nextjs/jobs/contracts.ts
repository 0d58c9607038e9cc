import { defineCatalog, defineJob } from 'duework';
import { z } from 'zod';

export const sendReceipt = defineJob({
  type: 'send_receipt',
  payload: z.object({ orderId: z.int(), email: z.email() }),
});

export const catalog = defineCatalog([sendReceipt]);
