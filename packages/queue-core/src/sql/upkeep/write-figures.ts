import type { FiguresRow } from '../../ports/upkeep.js';
import { queryRows, readNow, sql, type Queryable, type Sql } from '@duework/sql';

/**
 * Adds to the figures of the minutes, of their hours and of their days, and to the line that each of them has for all queues
 * and types together. In one order for all workers, so that two of them cannot deadlock. Returns the database's now.
 */
export async function writeFigures(db: Queryable, rows: readonly FiguresRow[]): Promise<number> {
  // to plan the statement takes the database 9 ms
  if (rows.length === 0) return readNow(db);
  const [row] = await queryRows<{ now_ms: number }>(
    db,
    sql`
    WITH input AS MATERIALIZED (
      -- without a moment: from before the worker knew the database's clock
      SELECT coalesce(to_timestamp(x."atMs" / 1000), now()) AS at, x.queue, x.type AS job_type, x.claimed, x.succeeded, x.failed,
        x.dead, x.cancelled, x.snoozed, x.waited, x.ran, x."waitedMs" AS waited_ms, x."ranMs" AS ran_ms
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS x (
        "atMs" float8, queue text, type text, claimed bigint, succeeded bigint, failed bigint, dead bigint, cancelled bigint,
        snoozed bigint, waited bigint[], ran bigint[], "waitedMs" float8, "ranMs" float8
      )
    ),
    counted AS MATERIALIZED (
      TABLE input
      UNION ALL
      SELECT at, '', '*', claimed, succeeded, failed, dead, cancelled, snoozed, waited, ran, waited_ms, ran_ms FROM input
    ),
    minutes AS (${addTo(sql`duework.figures_minutes`, sql`'minute'`)}),
    hours AS (${addTo(sql`duework.figures_hours`, sql`'hour'`)}),
    days AS (${addTo(sql`duework.figures_days`, sql`'day'`)})
    SELECT (extract(epoch FROM now()) * 1000)::float8 AS now_ms
  `,
  );
  return row!.now_ms;
}

/** What was counted by minute, hour or day: after the database was away there are several lines of one minute. */
const addTo = (table: Sql, unit: Sql): Sql => sql`
      INSERT INTO ${table} AS f (at, queue, job_type, claimed, succeeded, failed, dead, cancelled, snoozed, waited_ms, ran_ms, waited, ran)
      SELECT t.*, coalesce(l.waited, '{}'), coalesce(l.ran, '{}')
      FROM (
        SELECT date_trunc(${unit}, c.at, 'UTC') AS step, c.queue, c.job_type, sum(c.claimed), sum(c.succeeded), sum(c.failed), sum(c.dead),
          sum(c.cancelled), sum(c.snoozed), sum(c.waited_ms), sum(c.ran_ms)
        FROM counted AS c
        GROUP BY 1, 2, 3
      ) AS t
      LEFT JOIN (
        -- the sum of the lists, place by place, each as long as its longest
        SELECT p.step, p.queue, p.job_type, array_agg(p.waited ORDER BY p.place) FILTER (WHERE p.waited IS NOT NULL) AS waited,
          array_agg(p.ran ORDER BY p.place) FILTER (WHERE p.ran IS NOT NULL) AS ran
        FROM (
          SELECT date_trunc(${unit}, c.at, 'UTC') AS step, c.queue, c.job_type, u.place, sum(u.waited)::bigint AS waited, sum(u.ran)::bigint AS ran
          FROM counted AS c CROSS JOIN LATERAL unnest(c.waited, c.ran) WITH ORDINALITY AS u (waited, ran, place)
          GROUP BY 1, 2, 3, 4
        ) AS p
        GROUP BY 1, 2, 3
      ) AS l USING (step, queue, job_type)
      ORDER BY 1, 2, 3
      ON CONFLICT (at, queue, job_type) DO UPDATE
      SET claimed = f.claimed + excluded.claimed, succeeded = f.succeeded + excluded.succeeded, failed = f.failed + excluded.failed,
          dead = f.dead + excluded.dead, cancelled = f.cancelled + excluded.cancelled, snoozed = f.snoozed + excluded.snoozed,
          waited = duework.add_counts(f.waited, excluded.waited), ran = duework.add_counts(f.ran, excluded.ran),
          waited_ms = f.waited_ms + excluded.waited_ms, ran_ms = f.ran_ms + excluded.ran_ms`;
