import { sendReceipt } from '@acme/contracts';
import { enqueue, type Queryable } from 'duework';

export const orderReceipt = (db: Queryable, orderId: number) =>
  enqueue(db, sendReceipt, { orderId, to: 'a@example.com' });
