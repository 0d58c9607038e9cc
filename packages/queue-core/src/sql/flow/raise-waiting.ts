import { queryRows, sql, type Queryable } from '@duework/sql';

/** How many of each queue and priority one statement takes. */
const MOST = 1_000;

/** Takes before all others the runs that have waited for longer than their contracts' `maxWait`; returns how many. */
export async function raiseWaiting(db: Queryable): Promise<number> {
  const [row] = await queryRows<{ raised: number }>(db, sql`SELECT duework.raise_waiting(${MOST}::integer) AS raised`);
  return row!.raised;
}
