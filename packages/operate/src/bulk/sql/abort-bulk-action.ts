import type { Act, Queryable } from '@duework/queue-core';
import { insertAudit } from '@duework/queue-core/internals';
import { queryRows, sql } from '@duework/sql';

/** Ends a running action where it is; it waits for the step that is on its way. false: it has ended, or is not there. */
export async function abortBulkActionRow(db: Queryable, id: string, act: Act): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`
    WITH aborted AS (
      UPDATE duework.bulk_actions SET status = 'aborted', finished_at = now(), options = options - ARRAY['value', 'sensitiveValue']
      WHERE id = ${id}::bigint AND status = 'running'
      RETURNING id, done, refused
    ),
    audited AS (
      ${insertAudit(act, {
        verb: 'abort_bulk_action',
        kind: 'bulk_action',
        target: sql`a.id::text`,
        before: sql`jsonb_build_object('status', 'running')`,
        after: sql`jsonb_build_object('status', 'aborted', 'done', a.done, 'refused', a.refused)`,
        from: sql`aborted AS a`,
      })}
    )
    SELECT id::text AS id FROM aborted
  `,
  );
  return rows.length === 1;
}
