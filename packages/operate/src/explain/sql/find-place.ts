import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** How many due runs of each priority are looked at. */
const BUDGET = 10_000;

export interface Place {
  readonly ahead: number;
  readonly isAtLeast: boolean;
  /** Runs of the queue that began in a second, lately; null: none did. */
  readonly perSecond: number | null;
  /** When it has waited for as long as its contract allows, in milliseconds since 1970; null: it may wait. */
  readonly climbsMs: number | null;
}

/** How many due runs of these types are before a run, and how fast its queue goes. */
export async function findPlace(
  db: Queryable,
  { id, queue, types }: { readonly id: string; readonly queue: string; readonly types: readonly string[] },
): Promise<Place> {
  const [row] = await queryRows<{
    ahead: number;
    is_at_least: boolean;
    per_second: number | null;
    climbs_ms: number | null;
  }>(
    db,
    sql`
    SELECT c.ahead::float8 AS ahead, c.is_at_least, (
        -- The minutes since what waits began to wait, of them those since the first in which something began: how fast it
        -- went when there was little to do says nothing. The last one or two minutes at the least, and at most five.
        SELECT nullif(sum(f.claimed), 0)::float8 / greatest(1, extract(epoch FROM now() - min(f.at) FILTER (WHERE f.claimed > 0)))::float8
        FROM duework.figures_minutes AS f
        WHERE f.queue = ${queue}::text AND f.at >= greatest(
          date_trunc('minute', now()) - interval '5 minutes',
          least(date_trunc('minute', now()) - interval '1 minute', (
            SELECT date_trunc('minute', j.run_at) FROM duework.job_runs AS j
            WHERE j.held_by IS NULL AND j.queue = ${queue}::text AND j.status IN ('queued', 'failed')
            ORDER BY j.priority, j.run_at LIMIT 1
          )))
      ) AS per_second, (
        SELECT extract(epoch FROM j.run_at)::float8 * 1000 + d.max_wait_ms
        FROM duework.job_runs AS j JOIN duework.job_definitions AS d ON d.type = j.job_type
        WHERE j.id = ${id}::bigint AND j.priority > 0
      ) AS climbs_ms
    FROM duework.count_runs_ahead(${id}::bigint, ${[...types]}::text[], ${BUDGET}::integer) AS c
  `,
  );
  return { ahead: row!.ahead, isAtLeast: row!.is_at_least, perSecond: row!.per_second, climbsMs: row!.climbs_ms };
}
