import type { JobStatus } from '../../queue/job.js';
import type { Act } from '../../ports/act.js';
import type { RunUpdate, UpdateAnswer } from '../../ports/operator.js';
import { insertAudit } from './insert-audit.js';
import { isoText } from '../iso-text.js';
import { compose, queryRows, sql, type Queryable, type Sql } from '../sql.js';

/**
 * Changes a run that waits, and wakes workers where it is due earlier than before. null: the run is not live. The row's
 * lock decides between this and a claim: a claim skips a locked row, and this waits for a claim that has taken it, and
 * then leaves the run as it is. The audit says which values of the row changed, and of the payload only that it did.
 */
export async function updateRun(
  db: Queryable,
  id: string,
  update: RunUpdate,
  act: Act = {},
): Promise<UpdateAnswer | null> {
  const { payload, maxAttempts } = update;
  const [row] = await queryRows<{ is_updated: boolean; status: JobStatus; type: string; attempts: number }>(
    db,
    sql`
    WITH target AS MATERIALIZED (
      SELECT id, status, job_type, job_version, payload, run_at, priority, max_attempts, attempts
      FROM duework.job_runs WHERE id = ${id}::bigint FOR UPDATE
    ),
    updated AS (
      UPDATE duework.job_runs AS j SET ${setOf(update)}
      -- nothing more: the row may be another version than the one that this statement's snapshot shows, and it is locked
      WHERE j.id = (
        SELECT id FROM target
        WHERE status <> 'running' AND attempts < coalesce(${maxAttempts}::integer, max_attempts)
          AND job_type = coalesce(${payload?.type ?? null}::text, job_type)
      )
      RETURNING j.id, j.terms, j.queue, j.job_version, j.payload, j.run_at, j.priority, j.max_attempts
    ),
    noted AS (
      INSERT INTO duework.expiries (at, run_id)
      SELECT (terms ->> 'expiresAt')::timestamptz, id FROM updated WHERE terms ->> 'expiresAt' IS NOT NULL
      ON CONFLICT DO NOTHING
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'update',
        kind: 'job',
        target: sql`${id}::text`,
        before: changed(sql`t`, sql`u`, sql`t`),
        after: sql`${changed(sql`t`, sql`u`, sql`u`)}
          || CASE WHEN t.payload <> u.payload THEN '{"payloadChanged":true}'::jsonb ELSE '{}' END`,
        from: sql`target AS t CROSS JOIN updated AS u
        WHERE (t.job_version, t.payload, t.run_at, t.priority, t.max_attempts)
          <> (u.job_version, u.payload, u.run_at, u.priority, u.max_attempts)`,
      })}
    )
    SELECT u.queue IS NOT NULL AS is_updated, t.status, t.job_type AS type, t.attempts,
      CASE WHEN u.run_at < t.run_at THEN pg_notify('duework_wake', u.queue)::text END AS told
    FROM target AS t LEFT JOIN updated AS u ON true
  `,
  );
  if (row === undefined) return null;
  const { is_updated: isUpdated, status, type, attempts } = row;
  return { isUpdated, status, type, attempts };
}

/** What is given alone, so that a payload that stays is not written again. */
function setOf({ payload, runAt, delayMs, priority, maxAttempts }: RunUpdate): Sql {
  const columns: Sql[] = [];
  if (runAt !== null) columns.push(moveTo(sql`${runAt}::text::timestamptz`));
  if (delayMs !== null) columns.push(moveTo(sql`(now() + ${delayMs}::float8 * interval '1 millisecond')`));
  if (priority !== null) columns.push(sql`priority = ${priority}::smallint`);
  if (maxAttempts !== null) columns.push(sql`max_attempts = ${maxAttempts}::integer`);
  if (payload !== null)
    columns.push(sql`payload = ${payload.json}::text::jsonb, job_version = ${payload.version}::integer`);
  return compose(columns, ', ');
}

/** The moments that were agreed from the one at which it is due move with it, until it has started. */
const moveTo = (moment: Sql): Sql => sql`run_at = ${moment}, terms = CASE
        WHEN j.terms IS NULL OR j.attempts > 0 OR j.snoozes > 0 THEN j.terms ELSE duework.move_terms(j.terms, ${moment} - j.run_at)
      END`;

/** The values of `row` that are not the same before and after. */
const changed = (before: Sql, after: Sql, row: Sql): Sql => sql`jsonb_strip_nulls(jsonb_build_object(
          'version', CASE WHEN ${before}.job_version <> ${after}.job_version THEN ${row}.job_version END,
          'runAt', CASE WHEN ${before}.run_at <> ${after}.run_at THEN ${isoText(sql`${row}.run_at`)} END,
          'priority', CASE WHEN ${before}.priority <> ${after}.priority THEN ${row}.priority END,
          'maxAttempts', CASE WHEN ${before}.max_attempts <> ${after}.max_attempts THEN ${row}.max_attempts END
        ))`;
