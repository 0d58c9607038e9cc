import type { Retention } from '../../ports/upkeep.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** The tables of the history whose rows are in no day's partition. */
export type DaylessTable = 'job_history_dead' | 'job_history_cancelled' | 'job_history_late' | 'job_attempts_late';

/** A row that was looked at: those that are younger, or of the types behind its own, are looked at next. */
export interface RowPlace {
  readonly type: string;
  readonly at: string;
  readonly id: string;
}

/**
 * Deletes rows that finished longer ago than their status and type are kept, but for those of jobs that stay because of
 * their parent or their batch. Looks at `batch` rows at most, behind `after`; returns how many, and where to go on.
 */
export async function pruneRows(
  db: Queryable,
  table: DaylessTable,
  { keepDays, keepDeadDays }: Retention,
  batch: number,
  after: RowPlace | null,
): Promise<{ readonly looked: number; readonly upTo: RowPlace | null }> {
  const [row] = await queryRows<{ looked: number; type: string; at: string | null; id: string }>(
    db,
    sql`
    SELECT p.looked, p.up_to_type AS type, p.up_to_at::text AS at, p.up_to_id::text AS id
    FROM duework.prune_rows(${`duework.${table}`}::text::regclass, ${keepDays}::integer, ${keepDeadDays}::integer, ${batch}::integer,
      ${after?.type ?? ''}::text, ${after?.at ?? '-infinity'}::text::timestamptz, ${after?.id ?? '0'}::text::bigint) AS p
  `,
  );
  const { looked, type, at, id } = row!;
  return { looked, upTo: at === null ? null : { type, at, id } };
}
