import type { FiguresRow } from '../ports/upkeep.js';
import { queryRows, sql, type Queryable, type Sql } from './sql.js';

/**
 * Adds to the figures of the minutes and of their hours, in one order for all workers, so that two of them cannot
 * deadlock. Returns the database's now.
 */
export async function writeFigures(db: Queryable, rows: readonly FiguresRow[]): Promise<number> {
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
    minutes AS (${addTo(sql`duework.figures_minutes`, sql`'minute'`)}),
    hours AS (${addTo(sql`duework.figures_hours`, sql`'hour'`)})
    SELECT (extract(epoch FROM now()) * 1000)::float8 AS now_ms
  `,
  );
  return row!.now_ms;
}

/** The rows of the input by minute or hour: after the database was away there are several of one minute. */
const addTo = (table: Sql, unit: Sql): Sql => sql`
      INSERT INTO ${table} AS f (at, queue, job_type, claimed, succeeded, failed, dead, cancelled, snoozed, waited_ms, ran_ms, waited, ran)
      SELECT t.step, t.queue, t.job_type, t.claimed, t.succeeded, t.failed, t.dead, t.cancelled, t.snoozed, t.waited_ms, t.ran_ms,
        ${sumLists(unit, sql`waited`)}, ${sumLists(unit, sql`ran`)}
      FROM (
        SELECT date_trunc(${unit}, i.at) AS step, i.queue, i.job_type, sum(i.claimed) AS claimed, sum(i.succeeded) AS succeeded,
          sum(i.failed) AS failed, sum(i.dead) AS dead, sum(i.cancelled) AS cancelled, sum(i.snoozed) AS snoozed,
          sum(i.waited_ms) AS waited_ms, sum(i.ran_ms) AS ran_ms
        FROM input AS i
        GROUP BY 1, 2, 3
      ) AS t
      ORDER BY 1, 2, 3
      ON CONFLICT (at, queue, job_type) DO UPDATE
      SET claimed = f.claimed + excluded.claimed, succeeded = f.succeeded + excluded.succeeded, failed = f.failed + excluded.failed,
          dead = f.dead + excluded.dead, cancelled = f.cancelled + excluded.cancelled, snoozed = f.snoozed + excluded.snoozed,
          waited = duework.add_counts(f.waited, excluded.waited), ran = duework.add_counts(f.ran, excluded.ran),
          waited_ms = f.waited_ms + excluded.waited_ms, ran_ms = f.ran_ms + excluded.ran_ms`;

/** The sum of the lists of a group, place by place. */
const sumLists = (unit: Sql, list: Sql): Sql => sql`(
          SELECT coalesce(array_agg(s.total ORDER BY s.place), '{}')
          FROM (
            SELECT u.place, sum(u.n)::bigint AS total
            FROM input AS j CROSS JOIN LATERAL unnest(j.${list}) WITH ORDINALITY AS u (n, place)
            WHERE date_trunc(${unit}, j.at) = t.step AND j.queue = t.queue AND j.job_type = t.job_type
            GROUP BY u.place
          ) AS s
        )`;
