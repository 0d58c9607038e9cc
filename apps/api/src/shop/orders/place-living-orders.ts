import type { Prisma } from '@duework/database';
import { enqueue } from '@duework/queue-core';
import { sendReceipt } from '@duework/shop';
import { CUSTOMERS } from './customers.js';
import { placePaidOrders } from './place-paid-orders.js';

const RECEIPT_SHARE = 0.6;

/** Places orders of one customer, paid at once; most customers want a receipt a little later. */
export async function placeLivingOrders(
  tx: Prisma.TransactionClient,
  count: number,
  random: () => number,
): Promise<void> {
  const customer = CUSTOMERS[Math.floor(random() * CUSTOMERS.length)]!;
  const { orderIds } = await placePaidOrders(tx, count, [customer]);
  if (random() >= RECEIPT_SHARE) return;
  const payload = { receiptId: `O-${orderIds[0]}`, email: customer.email, amountCents: 1_990, currency: 'EUR' };
  await enqueue(tx, sendReceipt, payload, { delay: `${5 + Math.floor(random() * 55)}s` });
}
