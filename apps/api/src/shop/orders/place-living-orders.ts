import type { PayloadInput } from '@duework/contracts';
import type { Prisma } from '@duework/database';
import { enqueue, type EnqueueOptions } from '@duework/queue-core';
import { sendReceipt } from '@duework/shop';
import { CUSTOMERS } from './customers.js';
import { placePaidOrders } from './place-paid-orders.js';

const RECEIPT_SHARE = 0.6;

/** Enqueues a receipt in the transaction that has placed its order, wherever receipts are mailed from. */
export type EnqueueReceipt = (
  tx: Prisma.TransactionClient,
  payload: PayloadInput<typeof sendReceipt>,
  options: EnqueueOptions,
) => Promise<unknown>;

const enqueueHere: EnqueueReceipt = (tx, payload, options) => enqueue(tx, sendReceipt, payload, options);

/** Places orders of one customer, paid at once; most customers want a receipt a little later. */
export async function placeLivingOrders(
  tx: Prisma.TransactionClient,
  count: number,
  random: () => number,
  enqueueReceipt: EnqueueReceipt = enqueueHere,
): Promise<void> {
  const customer = CUSTOMERS[Math.floor(random() * CUSTOMERS.length)]!;
  const { orderIds } = await placePaidOrders(tx, count, [customer]);
  if (random() >= RECEIPT_SHARE) return;
  const payload = { receiptId: `O-${orderIds[0]}`, email: customer.email, amountCents: 1_990, currency: 'EUR' };
  await enqueueReceipt(tx, payload, { delay: `${5 + Math.floor(random() * 55)}s` });
}
