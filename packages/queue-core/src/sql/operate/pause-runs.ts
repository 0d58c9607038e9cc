import type { NewPause, Pause } from '../../ports/operator.js';
import { insertAudit } from './insert-audit.js';
import { auditedPause, pauseAsJson, toPause } from './pause-row.js';
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
    held AS MATERIALIZED (
      SELECT duework.hold_let_in(${kind}::text, ${name}::text)::text AS told
      FROM written WHERE EXISTS (SELECT FROM duework.flow_rules)
    ),
    -- soon, because whoever lets in at this moment has not seen the pause; and at its end
    looked AS (
      INSERT INTO duework.flow_looks (at, key)
      SELECT m.at, ${key} FROM written AS w CROSS JOIN LATERAL (VALUES (now() + interval '1 second'), (w.until)) AS m (at)
      WHERE m.at IS NOT NULL AND EXISTS (SELECT FROM duework.flow_rules)
    ),
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
    SELECT ${pauseAsJson}::text AS pause, duework.notify('duework_wake', '')::text AS told FROM written AS p
    WHERE (SELECT count(told) FROM held) >= 0
  `,
  );
  return row === undefined ? null : toPause(row.pause);
}
