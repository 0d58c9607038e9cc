import type { Queryable } from '@duework/queue-core';
import { empty, join, queryRows, type Sql, sql } from '@duework/sql';
import type { FiguresPart, FiguresTable } from '../plan-parts.js';

export interface FiguresQuery {
  readonly queue: string | undefined;
  readonly type: string | undefined;
  /** No moment is in two of them. */
  readonly parts: readonly FiguresPart[];
  readonly stepSeconds: number;
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
  readonly held: number | null;
}

/** Workers count times in so many doublings. */
const PLACES = 32;

/** The sum of lists, place by place. It is spelled out, because grouping what is unnested takes three times as long. */
function sumPlaces(list: 'waited' | 'ran'): Sql {
  const sums = Array.from({ length: PLACES }, (_, index) => `coalesce(sum(l.${list}[${index + 1}]::float8), 0)`);
  return sql([`json_build_array(${sums.join(', ')})`]);
}

const WAITED = sumPlaces('waited');
const RAN = sumPlaces('ran');
const TABLES: Readonly<Record<FiguresTable, Sql>> = {
  minutes: sql`duework.figures_minutes`,
  hours: sql`duework.figures_hours`,
  days: sql`duework.figures_days`,
};

/** The figures of some parts of time, by step, queue and type: one line for each that something is known of. */
export async function findFigures(db: Queryable, query: FiguresQuery): Promise<FiguresLine[]> {
  const { parts, stepSeconds, isTogether = false } = query;
  if (parts.length === 0) return [];
  const rows = await queryRows<{ line: string }>(
    db,
    sql`
    WITH lines AS MATERIALIZED (
      SELECT to_timestamp(floor(extract(epoch FROM f.at) / ${stepSeconds}::integer) * ${stepSeconds}::integer) AS step,
        ${isTogether ? sql`''::text AS queue, ''::text AS job_type` : sql`f.queue, f.job_type`},
        f.claimed, f.succeeded, f.failed, f.dead, f.cancelled, f.snoozed, f.waited, f.ran, f.waited_ms, f.ran_ms, f.oldest_seconds,
        -- depths of one moment add up, and those of different moments do not
        ${isTogether ? sql`sum(f.due) OVER moment AS due, sum(f.running) OVER moment AS running, sum(f.held) OVER moment AS held` : sql`f.due, f.running, f.held`}
      FROM (${join(
        parts.map((part) => linesOf(part, query)),
        ' UNION ALL ',
      )}) AS f
      WINDOW moment AS (PARTITION BY f.at)
    )
    SELECT json_build_object(
      'atMs', extract(epoch FROM l.step) * 1000, 'queue', l.queue, 'type', l.job_type, 'claimed', sum(l.claimed),
      'succeeded', sum(l.succeeded), 'failed', sum(l.failed), 'dead', sum(l.dead), 'cancelled', sum(l.cancelled),
      'snoozed', sum(l.snoozed), 'waitedMs', sum(l.waited_ms), 'ranMs', sum(l.ran_ms), 'due', max(l.due),
      'running', max(l.running), 'oldestSeconds', max(l.oldest_seconds), 'held', max(l.held),
      'waited', ${WAITED}, 'ran', ${RAN}
    )::text AS line
    FROM lines AS l
    GROUP BY l.step, l.queue, l.job_type
    ORDER BY l.step, l.queue, l.job_type
  `,
  );
  return rows.map(({ line }) => JSON.parse(line) as FiguresLine);
}

function linesOf({ table, fromMs, beforeMs }: FiguresPart, query: FiguresQuery): Sql {
  return sql`
        SELECT f.* FROM ${TABLES[table]} AS f
        WHERE f.at >= to_timestamp(${fromMs / 1_000}::float8) ${beforeMs === null ? empty : sql`AND f.at < to_timestamp(${beforeMs / 1_000}::float8)`}
          AND ${whose(query)}`;
}

/** Everything together has lines of its own. Otherwise the line without names says that a moment was sampled, so that nothing due is known to be nothing. */
function whose({ queue, type, isTogether = false }: FiguresQuery): Sql {
  if (isTogether && queue === undefined && type === undefined) return sql`f.queue = '' AND f.job_type = '*'`;
  const named = [
    ...(queue === undefined ? [] : [sql`f.queue = ${queue}::text`]),
    ...(type === undefined ? [] : [sql`f.job_type = ${type}::text`]),
    sql`f.queue <> ''`,
  ];
  return isTogether ? sql`(${join(named, ' AND ')} OR f.queue = '' AND f.job_type = '')` : sql`${join(named, ' AND ')}`;
}
