import { prisma } from './db.js';

export const placeOrder = (email: string, isRefused: boolean) =>
  prisma.$transaction(async (tx) => {
    const order = await tx.order.create({ data: { email } });
    if (isRefused) throw new Error(`Order ${order.id} is refused.`);
    return order.id;
  });
