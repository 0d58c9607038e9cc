import type { Prisma } from '@duework/database';
import { enqueue, type EnqueueOptions } from '@duework/queue-core';
import { forward } from '@duework/shards';
import { sendReceipt } from '@duework/shop';
import { CUSTOMERS } from './customers.js';
import { placePaidOrders } from './place-paid-orders.js';

const RECEIPT_SHARE = 0.6;

/** Places orders of one customer, paid at once; most customers want a receipt a little later, from the shard `receiptsTo`. */
export async function placeLivingOrders(
  tx: Prisma.TransactionClient,
  count: number,
  random: () => number,
  receiptsTo?: string,
): Promise<void> {
  const customer = CUSTOMERS[Math.floor(random() * CUSTOMERS.length)]!;
  const { orderIds } = await placePaidOrders(tx, count, [customer]);
  if (random() >= RECEIPT_SHARE) return;
  const payload = { receiptId: `O-${orderIds[0]}`, email: customer.email, amountCents: 1_990, currency: 'EUR' };
  const options: EnqueueOptions = { delay: `${5 + Math.floor(random() * 55)}s` };
  if (receiptsTo === undefined) await enqueue(tx, sendReceipt, payload, options);
  else await forward(tx, receiptsTo, sendReceipt, payload, options);
}
