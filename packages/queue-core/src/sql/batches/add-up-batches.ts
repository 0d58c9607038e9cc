import { queryRows, sql, toArray, type Queryable } from '@duework/sql';

/** Adds up what has happened to batches; null: to all. Returns those that another transaction is at. */
export async function addUpBatches(db: Queryable, ids: readonly string[] | null): Promise<readonly string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    sql`SELECT b.id FROM duework.add_up_batches(${ids === null ? null : toArray(ids)}::text[]) AS b (id)`,
  );
  return rows.map(({ id }) => id);
}
