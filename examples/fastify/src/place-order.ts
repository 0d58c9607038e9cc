import { enqueue } from 'duework';
import { fromDrizzle } from 'duework/adapters';
import { sql } from 'drizzle-orm';
import { chargeCard } from './charge-card.js';
import { db, orders } from './db.js';
import { sendReceipt } from './jobs/contracts.js';

/** The order and its receipt's job are written in one transaction: both are there, or neither is. */
export function placeOrder(email: string, cents: number): Promise<number> {
  return db.transaction(async (tx) => {
    const [order] = await tx.insert(orders).values({ email, cents }).returning({ id: orders.id });
    await enqueue(fromDrizzle(tx, sql), sendReceipt, { orderId: order!.id, email });
    chargeCard(cents);
    return order!.id;
  });
}
