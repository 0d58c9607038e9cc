import { type Act, type Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, type Sql, sql } from '@duework/sql';

/**
 * Writes a run that was triggered by hand to the ledger and to the audit. Its moment is never a due time of the rule:
 * due times are whole milliseconds, and this one has microseconds; with `dueAt`, ISO 8601, it is the run of that due
 * time, which was skipped. The next due time stays as it is. false: that due time was not skipped.
 */
export async function recordTrigger(
  db: Queryable,
  scheduleId: string,
  runId: string,
  { act, dueAt }: { readonly act: Act; readonly dueAt: string | null },
): Promise<boolean> {
  const rows = await queryRows(
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
        after: sql`jsonb_strip_nulls(jsonb_build_object('jobId', ${runId}::text, 'dueAt', ${dueAt}::text))`,
        from: sql`triggered AS t`,
      })}
    )
    ${dueAt === null ? added(runId) : decided(runId, dueAt)}
  `,
  );
  return rows.length === 1;
}

const added = (
  runId: string,
): Sql => sql`INSERT INTO duework.schedule_ledger (schedule_id, due_at, schedule_key, job_type, outcome, reason, run_id, fires_at, decided_at, late_ms)
    SELECT id, date_trunc('milliseconds', m.at) + greatest(1, extract(microseconds FROM m.at)::bigint % 1000) * interval '1 microsecond',
      key, job_type, 'fired', 'triggered', ${runId}::bigint, m.at, m.at, 0
    FROM triggered CROSS JOIN (SELECT clock_timestamp() AS at) AS m
    RETURNING schedule_id::text AS id`;

const decided = (runId: string, dueAt: string): Sql => sql`UPDATE duework.schedule_ledger AS l
    SET outcome = 'fired', reason = 'triggered', run_id = ${runId}::bigint, decided_at = now(),
      late_ms = greatest(0, extract(epoch FROM now() - l.fires_at) * 1000)::bigint
    FROM triggered AS t
    WHERE l.schedule_id = t.id AND l.due_at = ${dueAt}::text::timestamptz AND l.outcome = 'skipped'
    RETURNING l.schedule_id::text AS id`;
