import type { NewPause, Pause } from '../../ports/operator.js';
import { insertAudit } from './insert-audit.js';
import { auditedPause, pauseAsJson, toPause } from './pause-row.js';
import { areInLine, lineUp } from '../flow/hold-again.js';
import { lookAt } from '../flow/look-at.js';
import { pauseKey } from '../flow/pause-key.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Writes a pause. One that holds keeps its beginning; one that has ended, and is not deleted yet, begins anew. Claims look
 * at the table themselves; the workers are woken, because those that sleep know of no end. null: the end has passed.
 */
export async function pauseRuns(db: Queryable, { kind, name, until, act }: NewPause): Promise<Pause | null> {
  const key = sql`${pauseKey(kind, name)}::text`;
  const [row] = await queryRows<{ pause: string }>(
    db,
    sql`
    WITH before AS MATERIALIZED (
      SELECT * FROM duework.pauses WHERE kind = ${kind}::text AND name = ${name}::text AND (until IS NULL OR until > now()) FOR UPDATE
    ),
    written AS (
      INSERT INTO duework.pauses AS p (kind, name, until, by, reason)
      SELECT ${kind}::text, ${name}::text, ${until}::text::timestamptz, ${act.by ?? null}::text, ${act.reason ?? null}::text
      -- read first: a row that this statement has written could not be locked any more
      WHERE (SELECT count(*) FROM before) >= 0 AND (${until}::text IS NULL OR ${until}::text::timestamptz > now())
      ON CONFLICT (kind, name) DO UPDATE
      SET since = CASE WHEN p.until <= now() THEN now() ELSE p.since END,
          until = excluded.until, by = excluded.by, reason = excluded.reason
      RETURNING p.*
    ),
    -- what was let in and waits for a worker keeps nothing from others: see let_in
    held AS (
      UPDATE duework.job_runs AS j SET held_by = ${key}
      WHERE j.id = ANY(ARRAY(
        SELECT r.id
        FROM (SELECT DISTINCT unnest(k.holders) FROM duework.flow_keys AS k WHERE EXISTS (SELECT FROM written)) AS x (id)
        CROSS JOIN LATERAL (
          SELECT j.id, j.held_by FROM duework.job_runs AS j
          WHERE j.id = x.id AND j.status IN ('queued', 'failed')
            AND ${kind === 'type' ? sql`j.job_type` : sql`j.queue`} = ${name}::text
          FOR UPDATE SKIP LOCKED
        ) AS r
        WHERE r.held_by IS NULL
      ))
      RETURNING j.id, j.gates
    ),
    ${lineUp(sql`held`)},
    ${lookAt(
      sql`SELECT ${key} FROM written WHERE until IS NOT NULL AND EXISTS (SELECT FROM duework.flow_keys)`,
      sql`${until}::text::timestamptz`,
    )},
    audited AS (
      ${insertAudit(act, {
        verb: `pause_${kind}`,
        kind,
        target: sql`w.name`,
        before: sql`CASE WHEN b.kind IS NOT NULL THEN ${auditedPause(sql`b`)} END`,
        after: auditedPause(sql`w`),
        from: sql`written AS w LEFT JOIN before AS b ON true`,
      })}
    )
    SELECT ${pauseAsJson}::text AS pause, pg_notify('duework_wake', '')::text AS told FROM written AS p
    WHERE ${areInLine}
  `,
  );
  return row === undefined ? null : toPause(row.pause);
}
