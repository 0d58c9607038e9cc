import type { Act, Queryable } from '@duework/queue-core';
import { APPROVAL_SIGNAL, insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';

export interface NewDecision {
  readonly id: string;
  readonly wait: string;
  readonly choice: string;
}

/**
 * Ends the wait of an approval with a decision, and writes it into the audit: one statement, so that of two who decide at once
 * one does, and none where its time is over. The row of the run is locked first, as by a signal. Returns whether this one did.
 */
export async function decide(db: Queryable, { id, wait, choice }: NewDecision, act: Act): Promise<boolean> {
  const rows = await queryRows<{ is_live: boolean }>(
    db,
    sql`
    WITH run AS MATERIALIZED (SELECT id FROM duework.job_runs WHERE id = ${id}::bigint FOR UPDATE),
    decided AS (
      UPDATE duework.job_steps AS s SET status = 'arrived', done_at = now(), result = jsonb_build_object(
        'choice', ${choice}::text, 'by', ${act.by ?? 'program'}::text, 'comment', ${act.reason ?? null}::text,
        'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM run
      WHERE s.run_id = run.id AND s.name = ${wait}::text AND s.status = 'waiting'
        AND s.awaits = 'signal' AND starts_with(s.awaited, ${`${APPROVAL_SIGNAL} `}::text)
        -- the link of somebody who comes too late is worth nothing, even while no worker has seen that
        AND (s.wakes_at IS NULL OR s.wakes_at > now())
      RETURNING s.run_id
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'approve',
        kind: 'job',
        target: sql`d.run_id::text`,
        before: sql`jsonb_build_object('step', ${wait}::text)`,
        after: sql`jsonb_build_object('step', ${wait}::text, 'choice', ${choice}::text)`,
        from: sql`decided AS d`,
      })}
    )
    SELECT duework.wake_run(run_id) AS is_live FROM decided
  `,
  );
  return rows.length === 1;
}
