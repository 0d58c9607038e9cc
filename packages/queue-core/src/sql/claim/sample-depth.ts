import { queryRows, sql, type Queryable, type Sql } from '@duework/sql';

/** Samples what waits and runs, by the view queue_depth. */
export async function sampleDepth(db: Queryable): Promise<void> {
  await queryRows(
    db,
    sql`
    WITH depth AS MATERIALIZED (
      SELECT d.queue, d.job_type, d.due, d.running, d.oldest_waiting_seconds AS oldest_seconds, d.held
      FROM duework.queue_depth AS d
    ),
    noted AS MATERIALIZED (
      TABLE depth
      UNION ALL
      -- of all together; that nothing is due is known, too
      SELECT '', '*', coalesce(sum(due), 0), coalesce(sum(running), 0), max(oldest_seconds), coalesce(sum(held), 0) FROM depth
    ),
    minutes AS (${noteIn(sql`duework.figures_minutes`, sql`'minute'`)} RETURNING 1),
    hours AS (${noteIn(sql`duework.figures_hours`, sql`'hour'`)} RETURNING 1)
    ${noteIn(sql`duework.figures_days`, sql`'day'`)}
  `,
  );
}

const noteIn = (table: Sql, unit: Sql): Sql => sql`
      INSERT INTO ${table} AS f (at, queue, job_type, due, running, oldest_seconds, held)
      SELECT date_trunc(${unit}, now(), 'UTC'), queue, job_type, due, running, oldest_seconds, held FROM noted ORDER BY 2, 3
      ON CONFLICT (at, queue, job_type) DO UPDATE
      SET due = greatest(f.due, excluded.due), running = greatest(f.running, excluded.running),
          oldest_seconds = greatest(f.oldest_seconds, excluded.oldest_seconds), held = greatest(f.held, excluded.held)`;
