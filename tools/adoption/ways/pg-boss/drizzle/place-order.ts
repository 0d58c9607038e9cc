import { sql } from 'drizzle-orm';
import { fromDrizzle } from 'pg-boss';
import { boss } from './boss.js';
import { db, orders } from './db.js';

export const placeOrder = (email: string, isRefused: boolean) =>
  db.transaction(async (tx) => {
    const [order] = await tx.insert(orders).values({ email }).returning();
    await boss.send('send_receipt', { orderId: order!.id }, { db: fromDrizzle(tx, sql) });
    if (isRefused) throw new Error(`Order ${order!.id} is refused.`);
    return order!.id;
  });
