import type { Prisma } from '@duework/database';

/** What somebody has bought. A type, so that a step can keep it. */
export type Bought = { readonly email: string; readonly amountCents: number; readonly currency: string };

/**
 * Takes all lines of an order out of the stock. null: the order is cancelled, or there is not enough left. Throws where
 * another order takes the last piece at this moment (stock_quantity_check): tried again, there is not enough.
 */
export async function reserveStock(tx: Prisma.TransactionClient, orderId: number): Promise<Bought | null> {
  const [bought] = await tx.$queryRaw<Bought[]>`
    WITH wanted AS (
      SELECT description AS article, sum(quantity) AS quantity, sum(quantity * unit_cents) AS cents
      FROM shop.order_items WHERE order_id = ${orderId}::integer GROUP BY description
    ), reserved AS (
      UPDATE shop.orders SET reserved_at = now()
      WHERE id = ${orderId}::integer AND status <> 'CANCELLED' AND NOT EXISTS (
        SELECT FROM wanted LEFT JOIN shop.stock USING (article)
        WHERE coalesce(stock.quantity, 0) < wanted.quantity
      )
      RETURNING user_id, currency
    ), taken AS (
      UPDATE shop.stock SET quantity = stock.quantity - wanted.quantity
      FROM wanted, reserved WHERE stock.article = wanted.article
    )
    SELECT email, (SELECT sum(cents) FROM wanted)::integer AS "amountCents", currency::text
    FROM reserved JOIN shop.users ON users.id = user_id`;
  return bought ?? null;
}
