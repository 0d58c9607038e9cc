import { type Queryable } from '@duework/queue-core';
import { queryRows, sql, toArray } from '@duework/sql';

/** What has been decided about a schedule, and which of its runs are live. */
export interface DueTimeState {
  readonly id: string;
  readonly liveRunIds: readonly string[];
  /** Oldest first. */
  readonly waitingMs: readonly number[];
  /** Due times from the next one on that have a row already, because the database's clock was set back. */
  readonly decidedMs: readonly number[];
}

/**
 * A statement of its own, after the schedules are locked: only a snapshot taken then sees everything that the ticker
 * before this one has written about them.
 */
export async function readDueTimeStates(db: Queryable, ids: readonly string[]): Promise<DueTimeState[]> {
  const [row] = await queryRows<{ states: string }>(
    db,
    sql`
    SELECT coalesce(json_agg(json_build_object(
      'id', s.id::text,
      'liveRunIds', ARRAY(SELECT r.id::text FROM duework.job_runs AS r WHERE r.id = ANY(s.run_ids) ORDER BY r.id),
      'waitingMs', ARRAY(
        SELECT extract(epoch FROM w.due_at) * 1000 FROM duework.schedule_ledger AS w
        WHERE w.schedule_id = s.id AND w.outcome = 'waiting' ORDER BY w.due_at
      ),
      'decidedMs', ARRAY(
        SELECT extract(epoch FROM d.due_at) * 1000 FROM duework.schedule_ledger AS d
        WHERE d.schedule_id = s.id AND d.due_at >= s.next_due_at
      )
    )), '[]')::text AS states
    FROM duework.schedules AS s
    WHERE s.id = ANY(${toArray(ids)}::text::bigint[])
  `,
  );
  return JSON.parse(row!.states) as DueTimeState[];
}
