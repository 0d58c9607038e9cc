import { type Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/queue-core/internals';

/**
 * Writes a run that was triggered by hand to the ledger. Its moment is never a slot of the rule: slots are whole
 * milliseconds, and this one has microseconds. The next slot stays as it is.
 */
export async function recordTrigger(db: Queryable, scheduleId: string, runId: string): Promise<void> {
  await queryRows(
    db,
    sql`
    WITH triggered AS (
      UPDATE duework.schedules
      SET last_run_id = ${runId}::bigint, run_ids = run_ids[greatest(1, cardinality(run_ids) - 18):] || ${runId}::bigint
      WHERE id = ${scheduleId}::bigint
      RETURNING id, key, job_type
    )
    INSERT INTO duework.schedule_slots (schedule_id, slot_at, schedule_key, job_type, outcome, reason, run_id, due_at, decided_at, late_ms)
    SELECT id, date_trunc('milliseconds', m.at) + greatest(1, extract(microseconds FROM m.at)::bigint % 1000) * interval '1 microsecond',
      key, job_type, 'fired', 'triggered', ${runId}::bigint, m.at, m.at, 0
    FROM triggered CROSS JOIN (SELECT clock_timestamp() AS at) AS m
    RETURNING schedule_id::text AS id
  `,
  );
}
