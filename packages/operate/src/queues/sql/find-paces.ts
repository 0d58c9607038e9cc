import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

export interface Pace {
  readonly queue: string;
  readonly type: string;
  /** Runs that began in a second since what waits in their queue began to wait; null: none did. */
  readonly perSecond: number | null;
  /** The end of the last minute in which one failed, in milliseconds since 1970; null: none did. */
  readonly failedMs: number | null;
  /** How many have succeeded since. */
  readonly succeededSince: number;
}

/** How fast each type of each queue goes, and whether it still fails, by what workers have counted within five minutes. */
export async function findPaces(db: Queryable): Promise<Pace[]> {
  const rows = await queryRows<{ pace: string }>(
    db,
    sql`
    WITH lines AS MATERIALIZED (
      SELECT f.at, f.queue, f.job_type, f.claimed, f.succeeded,
        max(f.at) FILTER (WHERE f.failed + f.dead > 0) OVER (PARTITION BY f.queue, f.job_type) AS failed_at
      FROM duework.figures_minutes AS f
      WHERE f.at >= date_trunc('minute', now()) - interval '5 minutes' AND f.queue <> ''
    ),
    begun AS (
      -- as find-place.ts has it: how fast a queue went when there was little to do says nothing
      SELECT q.queue, least(date_trunc('minute', now()) - interval '1 minute', (
        SELECT date_trunc('minute', j.run_at) FROM duework.job_runs AS j
        WHERE j.held_by IS NULL AND j.queue = q.queue AND j.status IN ('queued', 'failed')
        ORDER BY j.priority, j.run_at LIMIT 1
      )) AS at
      FROM (SELECT DISTINCT queue FROM lines) AS q
    ),
    paced AS (
      SELECT l.queue, min(l.at) AS at
      FROM lines AS l JOIN begun AS b ON b.queue = l.queue AND l.at >= b.at
      WHERE l.claimed > 0
      GROUP BY l.queue
    )
    SELECT json_build_object(
      'queue', l.queue, 'type', l.job_type,
      'perSecond', nullif(sum(l.claimed) FILTER (WHERE l.at >= p.at), 0) / greatest(1, extract(epoch FROM now() - p.at)),
      'failedMs', extract(epoch FROM max(l.failed_at) + interval '1 minute') * 1000,
      'succeededSince', coalesce(sum(l.succeeded) FILTER (WHERE l.at > l.failed_at), 0)
    )::text AS pace
    FROM lines AS l LEFT JOIN paced AS p ON p.queue = l.queue
    GROUP BY l.queue, l.job_type, p.at
  `,
  );
  return rows.map(({ pace }) => JSON.parse(pace) as Pace);
}
