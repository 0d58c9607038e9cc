import { queryRows, sql, type Queryable } from '@duework/sql';

/** The tables of the history whose rows are in no day's partition. */
export type DaylessTable = 'job_history_dead' | 'job_history_cancelled' | 'job_history_late' | 'job_attempts_late';

/** Deletes rows that finished more than `keepDays` days ago, at most `batch`; returns how many. */
export async function pruneRows(db: Queryable, table: DaylessTable, keepDays: number, batch: number): Promise<number> {
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`SELECT duework.prune_rows(${`duework.${table}`}::text::regclass, ${keepDays}::integer, ${batch}::integer) AS gone`,
  );
  return row!.gone;
}
