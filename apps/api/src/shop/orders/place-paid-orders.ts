import { sendInvoice } from '@duework/shop';
import type { Prisma } from '@duework/database';
import { enqueueMany, jobRequest } from '@duework/queue-core';
import { insertPaidOrders } from '../sql/insert-paid-orders.js';
import { CUSTOMERS, type Customer } from './customers.js';
import { ensureWeeklyReport } from './ensure-weekly-report.js';

export interface PlacedOrders {
  readonly orderIds: readonly number[];
  readonly jobIds: readonly string[];
}

/** Places orders that are PAID at once, and enqueues their invoices, in the transaction that it is given. */
export async function placePaidOrders(
  tx: Prisma.TransactionClient,
  count: number,
  customers: readonly Customer[] = CUSTOMERS,
): Promise<PlacedOrders> {
  const userIds: number[] = [];
  for (const { name, email, timeZone } of customers) {
    const user = await tx.user.upsert({ where: { email }, create: { name, email, timeZone }, update: { name } });
    await ensureWeeklyReport(tx, user);
    userIds.push(user.id);
  }
  const orderIds = await insertPaidOrders(tx, { count, userIds });
  const jobs = await enqueueMany(
    tx,
    orderIds.map((orderId) => jobRequest(sendInvoice, { orderId })),
  );
  return { orderIds, jobIds: jobs.map(({ id }) => id) };
}
