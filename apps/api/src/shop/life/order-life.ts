import type { PayloadInput } from '@duework/contracts';
import type { Prisma } from '@duework/database';
import { cancelJob, enqueue, signal } from '@duework/queue-core';
import { approveCredit, cancelUnpaid, handleOrder, markOrderPaid, orderPaid } from '@duework/shop';

/** What is bought by those who pay later, one at a time. */
export const ARTICLE = 'Espresso machine';

type Times = Omit<PayloadInput<typeof handleOrder>, 'orderId'>;

/** Places an order that is paid later. The job that sees it through is enqueued in the order's own transaction. */
export async function placeOrder(tx: Prisma.TransactionClient, userId: number, times: Times = {}): Promise<number> {
  const items = { create: { line: 1, description: ARTICLE, quantity: 1, unitCents: 24_900 } };
  const { id: orderId } = await tx.order.create({ data: { userId, currency: 'EUR', items } });
  const job = await enqueue(tx, handleOrder, { orderId, ...times });
  await tx.order.update({ where: { id: orderId }, data: { jobId: job.id } });
  return orderId;
}

/** Marks an order PAID and tells its job. False: it is paid or cancelled already. */
export async function payOrder(tx: Prisma.TransactionClient, orderId: number): Promise<boolean> {
  const isPaid = await markOrderPaid(tx, orderId);
  if (isPaid) await signal(tx, orderPaid, { orderId });
  return isPaid;
}

/** Cancels an order and its job, and gives back what was reserved. False: it is paid or cancelled already. */
export async function cancelOrder(tx: Prisma.TransactionClient, orderId: number): Promise<boolean> {
  if ((await cancelUnpaid(tx, orderId)) !== 'cancelled') return false;
  const { jobId } = await tx.order.findUniqueOrThrow({ where: { id: orderId } });
  if (jobId !== null) await cancelJob(tx, jobId);
  return true;
}

/** Places an order that is shipped before it is paid, if the desk agrees: a job of its own asks it by mail. */
export async function placeOnAccount(tx: Prisma.TransactionClient, userId: number, times: Times = {}): Promise<number> {
  const orderId = await placeOrder(tx, userId, times);
  await enqueue(tx, approveCredit, { orderId, within: times.payWithin });
  return orderId;
}
