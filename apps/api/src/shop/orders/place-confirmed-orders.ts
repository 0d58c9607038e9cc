import { confirmOrder } from '@duework/shop';
import type { Prisma } from '@duework/database';
import { enqueueMany, jobRequest } from '@duework/queue-core';
import { insertPaidOrders } from '../sql/insert-paid-orders.js';
import type { Customer } from './customers.js';

/** Of so many jobs one statement enqueues. */
const AT_ONCE = 2_000;

/** Places so many orders of each customer, paid at once, of which each is confirmed by mail, in the transaction that it is given. */
export async function placeConfirmedOrders(
  tx: Prisma.TransactionClient,
  orders: readonly { readonly customer: Customer; readonly count: number }[],
): Promise<void> {
  for (const { customer, count } of orders) {
    const { name, email, timeZone } = customer;
    const user = await tx.user.upsert({ where: { email }, create: { name, email, timeZone }, update: { name } });
    const orderIds = await insertPaidOrders(tx, { count, userIds: [user.id] });
    for (let i = 0; i < orderIds.length; i += AT_ONCE)
      await enqueueMany(
        tx,
        orderIds.slice(i, i + AT_ONCE).map((orderId) => jobRequest(confirmOrder, { orderId, customerId: user.id })),
      );
  }
}
