import type { JobStatus } from '../../queue/job.js';
import type { Act } from '../../ports/act.js';
import type { RunUpdate, UpdateAnswer } from '../../ports/operator.js';
import { insertAudit } from './insert-audit.js';

import { compose, isoText, queryRows, sql, type Queryable, type Sql } from '@duework/sql';

/**
 * Changes a run that waits, and wakes workers where it is due earlier than before. null: the run is not live. The row's
 * lock decides between this and a claim: a claim skips a locked row, and this waits for a claim that has taken it, and
 * then leaves the run as it is. A run that has gates stands in another line, or elsewhere in it: where it was let in
 * before, whoever waits at its gates comes next. No key is locked: the looks at them are written down. The audit says
 * which values of the row changed, and of the payload only that it did.
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
      SELECT j.*, j AS was FROM duework.job_runs AS j WHERE j.id = ${id}::bigint FOR UPDATE
    ),
    updated AS (
      UPDATE duework.job_runs AS j SET ${setOf(update)}
      -- nothing more: the row may be another version than the one that this statement's snapshot shows, and it is locked
      WHERE j.id = (
        SELECT id FROM target
        WHERE status <> 'running' AND attempts < coalesce(${maxAttempts}::integer, max_attempts)
          AND job_type = coalesce(${payload?.type ?? null}::text, job_type)
      )
      RETURNING j.id, j.terms, j.queue, j.job_version, j.payload, j.run_at, j.priority, j.max_attempts, j.held_by, j.gates, j.gate_units
    ),
    lined AS MATERIALIZED (
      SELECT duework.line_up_anew(t.was)::text AS told
      FROM target AS t CROSS JOIN updated AS u
      WHERE (t.held_by, t.gates, t.gate_units) IS DISTINCT FROM (u.held_by, u.gates, u.gate_units)
        OR (u.held_by IS NOT NULL AND (t.run_at, t.priority) <> (u.run_at, u.priority))
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
      CASE WHEN u.run_at < t.run_at OR l.told IS NOT NULL THEN duework.notify('duework_wake', u.queue)::text END AS told
    FROM target AS t LEFT JOIN updated AS u ON true LEFT JOIN lined AS l ON true
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
  const isMoved = runAt !== null || delayMs !== null;
  if (payload !== null) columns.push(standAt(payload.flow, isMoved));
  else if (isMoved) columns.push(sql`held_by = coalesce(j.held_by, duework.gate_to_wait(j, j.gates))`);
  return compose(columns, ', ');
}

/**
 * Where it waits: anew where it has other gates, of another payload; and where it had been let in and is due at another
 * moment, it gives its place to others. A tenant's gate is that of the run's own queue.
 */
function standAt(flow: NonNullable<RunUpdate['payload']>['flow'], isMoved: boolean): Sql {
  const gates = sql`duework.gates_in_queue(${flow?.gates ?? null}::text[], j.queue)`;
  const units = sql`${flow?.units ?? null}::integer[]`;
  return sql`gates = ${gates}, gate_units = ${units}, held_by = CASE
        WHEN (${isMoved}::boolean AND j.held_by IS NULL) OR (${gates}, ${units}) IS DISTINCT FROM (j.gates, j.gate_units)
        THEN duework.gate_to_wait(j, ${gates}) ELSE j.held_by END`;
}

/** The moments that were agreed from the one at which it is due move with it, until it has started. */
const moveTo = (moment: Sql): Sql => sql`run_at = ${moment}, terms = CASE
        WHEN j.terms IS NULL OR j.attempts > 0 OR j.snoozed_at IS NOT NULL OR j.releases IS NOT NULL THEN j.terms
        ELSE duework.move_terms(j.terms, ${moment} - j.run_at)
      END`;

/** The values of `row` that are not the same before and after. */
const changed = (before: Sql, after: Sql, row: Sql): Sql => sql`jsonb_strip_nulls(jsonb_build_object(
          'version', CASE WHEN ${before}.job_version <> ${after}.job_version THEN ${row}.job_version END,
          'runAt', CASE WHEN ${before}.run_at <> ${after}.run_at THEN ${isoText(sql`${row}.run_at`)} END,
          'priority', CASE WHEN ${before}.priority <> ${after}.priority THEN ${row}.priority END,
          'maxAttempts', CASE WHEN ${before}.max_attempts <> ${after}.max_attempts THEN ${row}.max_attempts END
        ))`;
