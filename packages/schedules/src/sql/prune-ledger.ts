import { type Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** Drops rows of the ledger older than `keepDays` days, at most `batch` of them; returns how many. */
export async function pruneLedger(db: Queryable, keepDays: number, batch: number): Promise<number> {
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`SELECT duework.prune_ledger(${keepDays}::integer, ${batch}::integer) AS gone`,
  );
  return row!.gone;
}
