import { defineCatalog, defineJob } from '@duework/contracts';
import { z } from 'zod';

export const sendReceipt = defineJob({
  type: 'send_receipt',
  payload: z.object({ orderId: z.int(), to: z.email() }),
  result: z.object({ number: z.string() }),
  limits: [{ by: 'orderId', max: 1 }],
  sensitive: ['/to'],
});
export const countStock = defineJob({ type: 'count_stock', payload: z.object({}), collect: { max: 10, wait: '1s' } });
export const catalog = defineCatalog([sendReceipt, countStock]);
