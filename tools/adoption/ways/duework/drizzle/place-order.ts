import { sql } from 'drizzle-orm';
import { enqueue } from 'duework';
import { fromDrizzle } from 'duework/adapters';
import { db, orders } from './db.js';
import { sendReceipt } from './jobs.js';

export const placeOrder = (email: string, isRefused: boolean) =>
  db.transaction(async (tx) => {
    const [order] = await tx.insert(orders).values({ email }).returning();
    await enqueue(fromDrizzle(tx, sql), sendReceipt, { orderId: order!.id });
    if (isRefused) throw new Error(`Order ${order!.id} is refused.`);
    return order!.id;
  });
