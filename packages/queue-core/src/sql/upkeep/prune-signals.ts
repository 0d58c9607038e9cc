import { queryRows, sql, type Queryable } from '@duework/sql';

/** Deletes signals that nobody has received for `keepDays` days, at most `batch`; returns how many. */
export async function pruneSignals(db: Queryable, keepDays: number, batch: number): Promise<number> {
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`
    WITH gone AS (
      DELETE FROM duework.job_signals WHERE id = ANY(ARRAY(
        SELECT id FROM duework.job_signals WHERE sent_at < now() - ${keepDays}::integer * interval '1 day'
        ORDER BY sent_at LIMIT ${batch}::integer
      ))
      RETURNING id
    )
    SELECT count(*)::integer AS gone FROM gone
  `,
  );
  return row!.gone;
}
