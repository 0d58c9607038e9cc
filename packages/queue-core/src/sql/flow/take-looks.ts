import { queryRows, sql, type Queryable } from '@duework/sql';

/** How many looks one statement takes. Those at one key are taken together, however many there are. */
const MOST = 1_000;

/**
 * Takes the looks at gates that are due, and lets in the runs that it finds. Returns in how many milliseconds the next
 * look is due, 0 where more are due already; null: there is none.
 */
export async function takeLooks(db: Queryable): Promise<number | null> {
  const [row] = await queryRows<{ next_ms: number | null }>(
    db,
    sql`SELECT duework.take_looks(${MOST}::integer) AS next_ms`,
  );
  return row!.next_ms;
}
