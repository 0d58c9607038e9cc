import type { PrismaClient } from '@duework/database';
import { ARTICLE } from './life/order-life.js';
import { ensureWeeklyReport } from './orders/ensure-weekly-report.js';

/** Long expired, so that the nightly clean-up has something to delete. */
const EXPIRED_AT = new Date('2025-01-01T00:00:00Z');

/**
 * Writes what the demo needs: two users with a weekly report each, an order, an expired session, and what is in
 * stock. Existing rows stay as
 * they are.
 */
export async function seedDemo(db: PrismaClient): Promise<{ readonly orderId: number; readonly orderStatus: string }> {
  return db.$transaction(async (tx) => {
    const addUser = (name: string, email: string) =>
      tx.user.upsert({ where: { email }, create: { name, email }, update: { name } });
    // The row stays locked until the end, so two seeds at once make one order.
    const ada = await addUser('Ada Lovelace', 'ada@example.com');
    const grace = await addUser('Grace Hopper', 'grace@example.com');
    for (const user of [ada, grace]) await ensureWeeklyReport(tx, user);
    const session = { id: 'demo-expired-session', userId: grace.id, expiresAt: EXPIRED_AT };
    await tx.session.upsert({ where: { id: session.id }, create: session, update: session });
    const stock = { article: ARTICLE, quantity: 40 };
    await tx.stock.upsert({ where: { article: ARTICLE }, create: stock, update: {} });
    const items = [
      { line: 1, description: 'Analytical engine, one cog', quantity: 2, unitCents: 1_250 },
      { line: 2, description: 'Postage', quantity: 1, unitCents: 490 },
    ];
    const order =
      (await tx.order.findFirst({ where: { userId: ada.id }, orderBy: { id: 'asc' } })) ??
      (await tx.order.create({ data: { userId: ada.id, currency: 'EUR', items: { create: items } } }));
    return { orderId: order.id, orderStatus: order.status };
  });
}
