import type { PrismaClient } from '@duework/database';
import { enqueueMany, jobRequest } from '@duework/queue-core';
import { sendReceipt } from '@duework/shop';
import { CUSTOMERS, NOBODY } from './orders/customers.js';
import { placePaidOrders } from './orders/place-paid-orders.js';
import { writePastHour } from './past-hour.js';
import { lockCustomer } from './sql/lock-customer.js';

const ORDERS = 60;

/**
 * Lets a morning happen in a shop where nobody has paid yet, so that there is work: paid orders with their invoices, one
 * of somebody whose address does not exist, receipts that are due over the next hours, and the hour before. A second call
 * changes nothing.
 */
export async function seedMorning(db: PrismaClient): Promise<void> {
  await db.$transaction(async (tx) => {
    // two calls at once make one morning
    await lockCustomer(tx, CUSTOMERS[0]!.email);
    if ((await tx.order.count({ where: { status: 'PAID' } })) > 0) return;
    await writePastHour(tx);
    await placePaidOrders(tx, ORDERS);
    await placePaidOrders(tx, 1, [NOBODY]);
    const receipts = CUSTOMERS.map(({ email }, n) =>
      jobRequest(
        sendReceipt,
        { receiptId: `R-${1001 + n}`, email, amountCents: 1_990 + n * 350, currency: 'EUR' },
        { delay: `${(n + 1) * 20}m` },
      ),
    );
    await enqueueMany(tx, receipts);
  });
}
