import { scheduleAsJson, type ScheduleRow } from './schedule-row.js';
import { type Queryable } from '@duework/queue-core';
import { empty, join, parseExactly, queryRows, sql } from '@duework/sql';

export interface ScheduleFilter {
  readonly key?: string | undefined;
  readonly type?: string | undefined;
  readonly source?: 'code' | 'api' | undefined;
  readonly isPaused?: boolean | undefined;
  /** Only keys after this one, for the next page. */
  readonly afterKey?: string | undefined;
  readonly limit: number;
}

/** Schedules, sorted by the bytes of their keys. */
export async function findScheduleRows(
  db: Queryable,
  { key, type, source, isPaused, afterKey, limit }: ScheduleFilter,
): Promise<ScheduleRow[]> {
  const conditions = [
    ...(key === undefined ? [] : [sql`s.key = ${key}::text`]),
    ...(type === undefined ? [] : [sql`s.job_type = ${type}::text`]),
    ...(source === undefined ? [] : [sql`s.source = ${source}::text`]),
    ...(isPaused === undefined ? [] : [sql`s.is_paused = ${isPaused}::boolean`]),
    ...(afterKey === undefined ? [] : [sql`s.key > ${afterKey}::text`]),
  ];
  const rows = await queryRows<{ schedule: string }>(
    db,
    sql`
    SELECT ${scheduleAsJson}::text AS schedule
    FROM duework.schedules AS s
    ${conditions.length === 0 ? empty : sql`WHERE ${join(conditions, ' AND ')}`}
    ORDER BY s.key
    LIMIT ${limit}::integer
  `,
  );
  return rows.map((row) => parseExactly(row.schedule) as ScheduleRow);
}
