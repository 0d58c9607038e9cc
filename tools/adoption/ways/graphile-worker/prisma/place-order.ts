import { prisma } from './db.js';

export const placeOrder = (email: string, isRefused: boolean) =>
  prisma.$transaction(async (tx) => {
    const order = await tx.order.create({ data: { email } });
    await tx.$executeRaw`SELECT graphile_worker.add_job('send_receipt', ${{ orderId: order.id }}::json)`;
    if (isRefused) throw new Error(`Order ${order.id} is refused.`);
    return order.id;
  });
