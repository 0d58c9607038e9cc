import type { NewPause, Pause } from '../ports/operator.js';
import { toPause, pauseAsJson } from './pause-row.js';
import { queryRows, sql, type Queryable } from './sql.js';

/**
 * Writes a pause. One that holds keeps its beginning; one that has ended, and is not deleted yet, begins anew. Claims look
 * at the table themselves, so nobody need be told, but the workers that sleep: their next run may wait for the end.
 */
export async function pauseRuns(db: Queryable, { kind, name, until, act }: NewPause): Promise<Pause> {
  const [row] = await queryRows<{ pause: string }>(
    db,
    sql`
    WITH written AS (
      INSERT INTO duework.pauses AS p (kind, name, until, by, reason)
      VALUES (${kind}::text, ${name}::text, ${until}::text::timestamptz, ${act.by ?? null}::text, ${act.reason ?? null}::text)
      ON CONFLICT (kind, name) DO UPDATE
      SET since = CASE WHEN p.until <= now() THEN now() ELSE p.since END,
          until = excluded.until, by = excluded.by, reason = excluded.reason
      RETURNING p.*
    )
    -- the audit's entry belongs here
    SELECT ${pauseAsJson}::text AS pause, pg_notify('duework_wake', '')::text AS told FROM written AS p
  `,
  );
  return toPause(row!.pause);
}
