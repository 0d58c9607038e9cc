import { queryRows, sql, type Queryable } from '@duework/sql';

/** Deletes audit entries that are older than `keepDays`, 30 at the least, at most `batch`; returns how many. */
export async function pruneAudit(db: Queryable, keepDays: number, batch: number): Promise<number> {
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`SELECT duework.prune_audit(${keepDays}::integer, ${batch}::integer) AS gone`,
  );
  return row!.gone;
}

/** The same of the lists of jobs that bulk actions have changed, and of those actions; returns how many lists. */
export async function pruneBulkActions(db: Queryable, keepDays: number, batch: number): Promise<number> {
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`SELECT duework.prune_bulk_actions(${keepDays}::integer, ${batch}::integer) AS gone`,
  );
  return row!.gone;
}
