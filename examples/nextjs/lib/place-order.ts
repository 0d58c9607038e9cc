import { enqueue } from 'duework';
import { sendReceipt } from '../jobs/contracts';
import { chargeCard } from './charge-card';
import { prisma } from './prisma';

/** The order and its receipt's job are written in one transaction: both are there, or neither is. */
export function placeOrder(order: { email: string; cents: number }): Promise<number> {
  return prisma.$transaction(async (tx) => {
    const { id } = await tx.order.create({ data: order });
    await enqueue(tx, sendReceipt, { orderId: id, email: order.email });
    chargeCard(order.cents);
    return id;
  });
}
