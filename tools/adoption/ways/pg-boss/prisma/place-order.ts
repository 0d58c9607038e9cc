import { fromPrisma } from 'pg-boss';
import { boss } from './boss.js';
import { prisma } from './db.js';

export const placeOrder = (email: string, isRefused: boolean) =>
  prisma.$transaction(async (tx) => {
    const order = await tx.order.create({ data: { email } });
    await boss.send('send_receipt', { orderId: order.id }, { db: fromPrisma(tx) });
    if (isRefused) throw new Error(`Order ${order.id} is refused.`);
    return order.id;
  });
