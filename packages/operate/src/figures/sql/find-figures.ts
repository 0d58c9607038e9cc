import type { Queryable } from '@duework/queue-core';
import { empty, queryRows, sql } from '@duework/queue-core/internals';

export interface FiguresQuery {
  readonly queue: string | undefined;
  readonly type: string | undefined;
  /** ISO 8601 text in UTC. */
  readonly since: string;
  readonly stepSeconds: number;
  readonly table: 'minutes' | 'hours';
  /** One line a step for all queues and types together, whose names are then empty. */
  readonly isTogether?: boolean;
}

export interface FiguresLine {
  readonly atMs: number;
  readonly queue: string;
  readonly type: string;
  readonly claimed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly dead: number;
  readonly cancelled: number;
  readonly snoozed: number;
  readonly waited: readonly number[];
  readonly ran: readonly number[];
  readonly waitedMs: number;
  readonly ranMs: number;
  readonly due: number | null;
  readonly running: number | null;
  readonly oldestSeconds: number | null;
}

/** The figures from `since` on, by step, queue and type: one line for each that something is known of. */
export async function findFigures(db: Queryable, query: FiguresQuery): Promise<FiguresLine[]> {
  const { queue, type, since, stepSeconds, table, isTogether = false } = query;
  const rows = await queryRows<{ line: string }>(
    db,
    sql`
    WITH lines AS MATERIALIZED (
      SELECT to_timestamp(floor(extract(epoch FROM f.at) / ${stepSeconds}::integer) * ${stepSeconds}::integer) AS step,
        ${isTogether ? sql`''::text AS queue, ''::text AS job_type` : sql`f.queue, f.job_type`},
        f.claimed, f.succeeded, f.failed, f.dead, f.cancelled, f.snoozed, f.waited, f.ran, f.waited_ms, f.ran_ms, f.oldest_seconds,
        -- depths of one moment add up, and those of different moments do not
        ${isTogether ? sql`sum(f.due) OVER moment AS due, sum(f.running) OVER moment AS running` : sql`f.due, f.running`}
      FROM ${table === 'minutes' ? sql`duework.figures_minutes` : sql`duework.figures_hours`} AS f
      WHERE f.at >= ${since}::text::timestamptz AND (f.queue <> '' OR ${isTogether}::boolean)
        -- the row without names says that the moment was sampled, so that nothing due is known to be nothing
        ${queue === undefined ? empty : sql`AND (f.queue = ${queue}::text OR f.queue = '')`}
        ${type === undefined ? empty : sql`AND (f.job_type = ${type}::text OR f.queue = '')`}
      WINDOW moment AS (PARTITION BY f.at)
    ),
    lists AS (
      SELECT step, queue, job_type, kind, json_agg(total ORDER BY place) AS counts
      FROM (
        SELECT l.step, l.queue, l.job_type, k.kind, u.place, sum(u.n) AS total
        FROM lines AS l
        CROSS JOIN LATERAL (VALUES ('waited', l.waited), ('ran', l.ran)) AS k (kind, counts)
        CROSS JOIN LATERAL unnest(k.counts) WITH ORDINALITY AS u (n, place)
        GROUP BY 1, 2, 3, 4, 5
      ) AS s
      GROUP BY 1, 2, 3, 4
    )
    SELECT json_build_object(
      'atMs', extract(epoch FROM l.step) * 1000, 'queue', l.queue, 'type', l.job_type, 'claimed', sum(l.claimed),
      'succeeded', sum(l.succeeded), 'failed', sum(l.failed), 'dead', sum(l.dead), 'cancelled', sum(l.cancelled),
      'snoozed', sum(l.snoozed), 'waitedMs', sum(l.waited_ms), 'ranMs', sum(l.ran_ms), 'due', max(l.due),
      'running', max(l.running), 'oldestSeconds', max(l.oldest_seconds),
      'waited', coalesce((SELECT counts FROM lists AS c WHERE (c.step, c.queue, c.job_type, c.kind) = (l.step, l.queue, l.job_type, 'waited')), '[]'),
      'ran', coalesce((SELECT counts FROM lists AS c WHERE (c.step, c.queue, c.job_type, c.kind) = (l.step, l.queue, l.job_type, 'ran')), '[]')
    )::text AS line
    FROM lines AS l
    GROUP BY l.step, l.queue, l.job_type
    ORDER BY l.step, l.queue, l.job_type
  `,
  );
  return rows.map(({ line }) => JSON.parse(line) as FiguresLine);
}
