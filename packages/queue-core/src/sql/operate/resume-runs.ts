import type { Act } from '../../ports/act.js';
import type { Pause, PauseKind } from '../../ports/operator.js';
import { insertAudit } from './insert-audit.js';
import { auditedPause, pauseAsJson, toPause } from './pause-row.js';
import { lookAt } from '../flow/look-at.js';
import { pauseKey } from '../flow/pause-key.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/** Ends a pause, and wakes the workers: all of them, because each has its own lower bound. null: there was none. */
export async function resumeRuns(db: Queryable, kind: PauseKind, name: string, act: Act): Promise<Pause | null> {
  const [row] = await queryRows<{ pause: string }>(
    db,
    sql`
    WITH ended AS (
      DELETE FROM duework.pauses WHERE kind = ${kind}::text AND name = ${name}::text
      RETURNING *
    ),
    ${lookAt(sql`SELECT ${pauseKey(kind, name)}::text FROM ended WHERE EXISTS (SELECT FROM duework.flow_rules)`)},
    audited AS (
      ${insertAudit(act, {
        verb: `resume_${kind}`,
        kind,
        target: sql`e.name`,
        before: auditedPause(sql`e`),
        after: sql`NULL::jsonb`,
        from: sql`ended AS e WHERE e.until IS NULL OR e.until > now()`,
      })}
    )
    SELECT ${pauseAsJson}::text AS pause,
      duework.notify('duework_wake', '')::text
      AS told
    FROM ended AS p
    WHERE until IS NULL OR until > now()
  `,
  );
  return row === undefined ? null : toPause(row.pause);
}
