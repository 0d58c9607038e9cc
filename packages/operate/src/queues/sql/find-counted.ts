import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** What workers have counted of the last five minutes, from a sample of what waits to another one. */
export interface Counted {
  /** From the first sample to the other one, and to now; null: there are no two samples. */
  readonly countedSeconds: number | null;
  readonly seconds: number | null;
  readonly lines: readonly {
    readonly queue: string;
    readonly type: string;
    /** Between the samples. */
    readonly claimed: number;
    /** At the first one, and at the other. */
    readonly dueFirst: number;
    readonly dueLast: number;
  }[];
}

/** Samples are taken at the beginning of a minute, and what workers have claimed in it is written within the next. */
export async function findCounted(db: Queryable): Promise<Counted> {
  const [row] = await queryRows<{ counted: string }>(
    db,
    sql`
    WITH span AS MATERIALIZED (
      SELECT min(f.at) AS first, max(f.at) FILTER (WHERE f.at < date_trunc('minute', now())) AS last
      FROM duework.figures_minutes AS f
      WHERE f.at >= date_trunc('minute', now()) - interval '5 minutes' AND f.queue = '' AND f.due IS NOT NULL
    )
    SELECT json_build_object(
      'countedSeconds', extract(epoch FROM s.last - s.first), 'seconds', extract(epoch FROM now() - s.first),
      'lines', coalesce((
        SELECT json_agg(l) FROM (
          SELECT f.queue, f.job_type AS type, coalesce(sum(f.claimed) FILTER (WHERE f.at < s.last), 0) AS claimed,
            coalesce(sum(f.due) FILTER (WHERE f.at = s.first), 0) AS "dueFirst",
            coalesce(sum(f.due) FILTER (WHERE f.at = s.last), 0) AS "dueLast"
          FROM duework.figures_minutes AS f
          WHERE f.at >= s.first AND f.at <= s.last AND f.queue <> ''
          GROUP BY f.queue, f.job_type
        ) AS l
      ), '[]')
    )::text AS counted
    FROM span AS s
  `,
  );
  return JSON.parse(row!.counted) as Counted;
}
