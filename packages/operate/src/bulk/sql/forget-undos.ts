import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/**
 * Deletes at most `batch` lines of what undos would have needed, of actions that ended more than an hour ago or whose undo
 * has ended; returns how many.
 */
export async function forgetUndos(db: Queryable, batch: number): Promise<number> {
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`
    WITH over AS MATERIALIZED (
      SELECT a.id FROM (SELECT DISTINCT bulk_action_id AS id FROM duework.bulk_undos) AS kept
      JOIN duework.bulk_actions AS a ON a.id = kept.id
      WHERE a.status <> 'running' AND NOT EXISTS (SELECT FROM duework.bulk_actions AS u WHERE u.undo_of = a.id AND u.status = 'running')
        AND (a.finished_at < now() - interval '1 hour' OR EXISTS (SELECT FROM duework.bulk_actions AS u WHERE u.undo_of = a.id))
    ),
    gone AS (
      DELETE FROM duework.bulk_undos WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM duework.bulk_undos WHERE bulk_action_id = ANY(ARRAY(SELECT id FROM over)) LIMIT ${batch}::integer
      ))
      RETURNING 1
    )
    SELECT count(*)::integer AS gone FROM gone
  `,
  );
  return row!.gone;
}
