import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { empty, isoText, queryRows, sql, type Sql } from '@duework/sql';

/** What an operator does to a wait. */
export type WaitChange =
  | { readonly verb: 'skip' }
  | { readonly verb: 'fail' }
  | { readonly verb: 'extend'; readonly until: Date };

/** A handler expects that a wait with a deadline ends without a result. A child ends by itself, or is cancelled. */
const MAY: Readonly<Record<WaitChange['verb'], Sql>> = {
  skip: sql`s.wakes_at IS NOT NULL`,
  extend: sql`s.wakes_at IS NOT NULL`,
  fail: sql`s.awaits IS DISTINCT FROM 'child'`,
};

function newValues(change: WaitChange, reason: string | null): Sql {
  switch (change.verb) {
    case 'skip':
      return sql`status = 'arrived', done_at = now()`;
    case 'extend':
      return sql`wakes_at = ${change.until.toISOString()}::timestamptz`;
    case 'fail': {
      const message = reason ?? 'An operator has failed this wait.';
      const error = JSON.stringify({ code: 'wait_failed', type: 'WaitFailed', message });
      return sql`status = 'arrived', done_at = now(), error = ${error}::text::jsonb`;
    }
  }
}

/**
 * Changes a wait of a live run, and writes that into the audit. false: the run does not wait so, or its wait is not one of which
 * that can be done. The row of the run is locked first, as by a signal.
 */
export async function updateWait(
  db: Queryable,
  { id, name, ...change }: WaitChange & { readonly id: string; readonly name: string },
  act: Act,
): Promise<boolean> {
  const isLater = change.verb === 'extend' ? sql`AND s.wakes_at < ${change.until.toISOString()}::timestamptz` : empty;
  const rows = await queryRows(
    db,
    sql`
    WITH run AS MATERIALIZED (SELECT id FROM duework.job_runs WHERE id = ${id}::bigint FOR UPDATE),
    old AS MATERIALIZED (
      SELECT s.run_id, s.name, s.wakes_at FROM duework.job_steps AS s JOIN run ON s.run_id = run.id
      WHERE s.name = ${name}::text AND s.status = 'waiting' AND ${MAY[change.verb]} ${isLater}
      FOR UPDATE OF s
    ),
    changed AS (
      UPDATE duework.job_steps AS s SET ${newValues(change, act.reason ?? null)} FROM old AS o
      WHERE s.run_id = o.run_id AND s.name = o.name
      RETURNING s.run_id, o.wakes_at AS was, s.wakes_at, s.status
    ),
    audited AS (
      ${insertAudit(act, {
        verb: `${change.verb}_wait`,
        kind: 'job',
        target: sql`c.run_id::text`,
        before: sql`jsonb_build_object('step', ${name}::text, 'until', ${isoText(sql`c.was`)})`,
        after: sql`jsonb_build_object('step', ${name}::text, 'until', ${isoText(sql`c.wakes_at`)})`,
        from: sql`changed AS c`,
      })}
    )
    SELECT CASE status WHEN 'arrived' THEN duework.wake_run(run_id) ELSE true END FROM changed
  `,
  );
  return rows.length === 1;
}
