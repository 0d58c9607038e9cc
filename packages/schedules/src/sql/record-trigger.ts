import { type Act, type Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';

/**
 * Writes a run that was triggered by hand to the ledger and to the audit. Its moment is never a slot of the rule: slots are whole
 * milliseconds, and this one has microseconds. The next slot stays as it is.
 */
export async function recordTrigger(db: Queryable, scheduleId: string, runId: string, act: Act): Promise<void> {
  await queryRows(
    db,
    sql`
    WITH triggered AS (
      UPDATE duework.schedules
      SET last_run_id = ${runId}::bigint, run_ids = run_ids[greatest(1, cardinality(run_ids) - 18):] || ${runId}::bigint
      WHERE id = ${scheduleId}::bigint
      RETURNING id, key, job_type
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'trigger_schedule',
        kind: 'schedule',
        target: sql`t.key`,
        before: sql`NULL::jsonb`,
        after: sql`jsonb_build_object('jobId', ${runId}::text)`,
        from: sql`triggered AS t`,
      })}
    )
    INSERT INTO duework.schedule_slots (schedule_id, slot_at, schedule_key, job_type, outcome, reason, run_id, due_at, decided_at, late_ms)
    SELECT id, date_trunc('milliseconds', m.at) + greatest(1, extract(microseconds FROM m.at)::bigint % 1000) * interval '1 microsecond',
      key, job_type, 'fired', 'triggered', ${runId}::bigint, m.at, m.at, 0
    FROM triggered CROSS JOIN (SELECT clock_timestamp() AS at) AS m
    RETURNING schedule_id::text AS id
  `,
  );
}
