import { queryRows, sql, type Queryable } from '@duework/sql';

/** Deletes published events that were kept for long enough, at most `batch`; returns how many. */
export async function pruneEvents(db: Queryable, batch: number): Promise<number> {
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`
    WITH gone AS (
      DELETE FROM duework.published_events WHERE id = ANY(ARRAY(
        SELECT id FROM duework.published_events WHERE expires_at <= now()
        ORDER BY expires_at LIMIT ${batch}::integer
      ))
      RETURNING id
    )
    SELECT count(*)::integer AS gone FROM gone
  `,
  );
  return row!.gone;
}
