import { Prisma } from '@duework/database';

const ARTICLES = ['Analytical engine, one cog', 'Punched cards, a box of 500', 'Espresso machine', 'A ream of paper'];

export interface PaidOrders {
  readonly count: number;
  /** Whose they are, in turn. */
  readonly userIds: readonly number[];
}

/** Inserts orders that are PAID at once, with their lines, and returns their ids. */
export async function insertPaidOrders(
  tx: Prisma.TransactionClient,
  { count, userIds }: PaidOrders,
): Promise<readonly number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>(Prisma.sql`
    WITH placed AS (
      INSERT INTO shop.orders (user_id, currency, status, paid_at)
      SELECT (${[...userIds]}::integer[])[1 + n % cardinality(${[...userIds]}::integer[])], 'EUR', 'PAID', now()
      FROM generate_series(1, ${count}::integer) AS n
      RETURNING id
    ), lines AS (
      INSERT INTO shop.order_items (order_id, line, description, quantity, unit_cents)
      SELECT id, 1, (${ARTICLES}::text[])[1 + id % cardinality(${ARTICLES}::text[])], 1 + id % 3, 490 + id % 40 * 250
      FROM placed
    )
    SELECT id FROM placed ORDER BY id
  `);
  return rows.map(({ id }) => id);
}
