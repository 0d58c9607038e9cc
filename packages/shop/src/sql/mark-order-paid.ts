import { Prisma } from '@duework/database';

/**
 * Marks a PENDING order as PAID, once: true for the caller that did. Another that pays at the same moment waits here
 * for the first one's transaction to end, and then changes nothing. The time is the database's.
 */
export async function markOrderPaid(tx: Prisma.TransactionClient, id: number): Promise<boolean> {
  const count = await tx.$executeRaw(Prisma.sql`
    UPDATE shop.orders SET status = 'PAID', paid_at = now() WHERE id = ${id}::integer AND status = 'PENDING'
  `);
  return count === 1;
}
