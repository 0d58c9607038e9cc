import { enqueue } from 'duework';
import { prisma } from './db.js';
import { sayHello } from './jobs/contracts.js';

export const placeOrder = (email: string, isRefused: boolean) =>
  prisma.$transaction(async (tx) => {
    const order = await tx.order.create({ data: { email } });
    await enqueue(tx, sayHello, { name: email });
    if (isRefused) throw new Error(`Order ${order.id} is refused.`);
    return order.id;
  });
