import { db, orders } from './db.js';

export const placeOrder = (email: string, isRefused: boolean) =>
  db.transaction(async (tx) => {
    const [order] = await tx.insert(orders).values({ email }).returning();
    if (isRefused) throw new Error(`Order ${order!.id} is refused.`);
    return order!.id;
  });
