import { sql } from 'drizzle-orm';
import { db, orders } from './db.js';

export const placeOrder = (email: string, isRefused: boolean) =>
  db.transaction(async (tx) => {
    const [order] = await tx.insert(orders).values({ email }).returning();
    await tx.execute(
      sql`SELECT graphile_worker.add_job('send_receipt', ${JSON.stringify({ orderId: order!.id })}::json)`,
    );
    if (isRefused) throw new Error(`Order ${order!.id} is refused.`);
    return order!.id;
  });
