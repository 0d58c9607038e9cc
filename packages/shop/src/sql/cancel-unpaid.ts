import type { Prisma } from '@duework/database';

/**
 * Cancels an order that nobody has paid, and gives back what was reserved for it. `paid`: it stays so. Whoever pays at the
 * same moment waits for this transaction to end, or this one for theirs, so the order's row decides.
 */
export async function cancelUnpaid(
  tx: Prisma.TransactionClient,
  orderId: number,
): Promise<'cancelled' | 'cancelled before' | 'paid'> {
  const [order] = await tx.$queryRaw<{ status: string; isReserved: boolean }[]>`
    SELECT status, reserved_at IS NOT NULL AS "isReserved" FROM shop.orders WHERE id = ${orderId}::integer FOR UPDATE`;
  if (order?.status !== 'PENDING') return order?.status === 'PAID' ? 'paid' : 'cancelled before';
  await tx.$executeRaw`
    UPDATE shop.orders SET status = 'CANCELLED', reserved_at = NULL WHERE id = ${orderId}::integer`;
  if (order.isReserved)
    await tx.$executeRaw`
      UPDATE shop.stock SET quantity = stock.quantity + bought.quantity
      FROM (
        SELECT description AS article, sum(quantity) AS quantity
        FROM shop.order_items WHERE order_id = ${orderId}::integer GROUP BY description
      ) AS bought
      WHERE stock.article = bought.article`;
  return 'cancelled';
}
