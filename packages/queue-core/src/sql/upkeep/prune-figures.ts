import { queryRows, sql, type Queryable } from '@duework/sql';

/** Deletes minutes after a day, hours and days after 90 days and chores and workers of the past after 30, at most `batch` of each; how many. */
export async function pruneFigures(db: Queryable, batch: number): Promise<number> {
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`
    WITH minutes AS (
      DELETE FROM duework.figures_minutes WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM duework.figures_minutes WHERE at < now() - interval '25 hours' ORDER BY at LIMIT ${batch}::integer
        FOR UPDATE SKIP LOCKED
      )) RETURNING 1
    ),
    hours AS (
      DELETE FROM duework.figures_hours WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM duework.figures_hours WHERE at < now() - interval '90 days' ORDER BY at LIMIT ${batch}::integer
        FOR UPDATE SKIP LOCKED
      )) RETURNING 1
    ),
    days AS (
      DELETE FROM duework.figures_days WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM duework.figures_days WHERE at < now() - interval '90 days' ORDER BY at LIMIT ${batch}::integer
        FOR UPDATE SKIP LOCKED
      )) RETURNING 1
    ),
    workers AS (
      DELETE FROM duework.past_workers WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM duework.past_workers WHERE seen_at < now() - interval '30 days' ORDER BY seen_at LIMIT ${batch}::integer
        FOR UPDATE SKIP LOCKED
      )) RETURNING 1
    ),
    chores AS (
      -- of programs that ask for them by another name now
      DELETE FROM duework.chores WHERE taken_at < now() - interval '30 days'
    )
    SELECT greatest(
      (SELECT count(*) FROM minutes), (SELECT count(*) FROM hours), (SELECT count(*) FROM days), (SELECT count(*) FROM workers)
    )::float8 AS gone
  `,
  );
  return row!.gone;
}
