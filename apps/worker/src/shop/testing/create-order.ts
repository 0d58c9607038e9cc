import type { PrismaClient } from '@duework/database';

/** A user with one order, paid unless told otherwise. */
export async function createOrder(
  db: PrismaClient,
  options: { name?: string; email?: string; isPaid?: boolean; paidAt?: Date; lines?: number } = {},
) {
  const {
    name = 'Ada Lovelace',
    email = `ada-${process.hrtime.bigint()}@example.com`,
    isPaid = true,
    paidAt = new Date('2026-11-20T12:00:00Z'),
    lines = 2,
  } = options;
  const user = await db.user.create({ data: { name, email } });
  const items = Array.from({ length: lines }, (_, index) => ({
    line: index + 1,
    description: `Item ${index + 1}`,
    quantity: index + 1,
    unitCents: 1_250,
  }));
  const order = await db.order.create({
    data: { userId: user.id, currency: 'EUR', ...(isPaid ? { status: 'PAID', paidAt } : {}), items: { create: items } },
  });
  return { user, order };
}
