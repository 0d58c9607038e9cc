import type { Json } from '../../queue/job.js';
import type { EffectAnswer, EffectRequest } from '../../ports/effects.js';
import { parseExactly, queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Writes that an effect is about to happen, only while this claim owns the run: the run's row is locked while the
 * effect's is written, so that nobody else can own the run at that moment.
 *
 * An effect that an earlier claim left as `started` may or may not have happened. At most once: it becomes `unknown`,
 * and stays so until a person decides (`retry-run`). At least once: this claim takes it over. What a person has approved, or
 * certainly did not happen, begins again; only the latter is no repeat.
 */
export async function beginEffect(
  db: Queryable,
  { id, fence, type, runKey, name, policy }: EffectRequest,
): Promise<EffectAnswer> {
  const isOthers = sql`(e.run_id, e.fence) <> (excluded.run_id, excluded.fence)`;
  const [row] = await queryRows<{
    is_owned: boolean;
    is_new: boolean | null;
    status: string | null;
    result: string | null;
  }>(
    db,
    sql`
    WITH owned AS MATERIALIZED (
      SELECT id FROM duework.job_runs
      WHERE id = ${id}::bigint AND fence = ${fence}::bigint AND status = 'running'
      FOR UPDATE
    ),
    begun AS (
      INSERT INTO duework.job_effects AS e (job_type, run_key, name, run_id, fence)
      SELECT ${type}::text, ${runKey}::text, ${name}::text, id, ${fence}::bigint FROM owned
      ON CONFLICT (job_type, run_key, name) DO UPDATE SET
        status = CASE
          WHEN e.status = 'started' AND ${isOthers} AND ${policy}::text = 'at_most_once' THEN 'unknown'
          WHEN e.status IN ('approved', 'undone') THEN 'started'
          ELSE e.status
        END,
        started_at = CASE WHEN e.status = 'undone' THEN now() ELSE e.started_at END,
        repeats = e.repeats + (e.status = 'approved' OR e.status = 'started' AND ${isOthers} AND ${policy}::text <> 'at_most_once')::int,
        run_id = CASE WHEN e.status = 'done' THEN e.run_id ELSE excluded.run_id END,
        fence = CASE WHEN e.status = 'done' THEN e.fence ELSE excluded.fence END
      RETURNING status, result, started_at = now() AS is_new
    )
    SELECT EXISTS (SELECT FROM owned) AS is_owned, b.status, b.result::text AS result, b.is_new
    FROM (SELECT 1) AS one
    LEFT JOIN begun AS b ON true
  `,
  );
  if (row === undefined || !row.is_owned) return { kind: 'lost' };
  if (row.status === 'done') return { kind: 'done', result: parseExactly(row.result ?? 'null') as Json };
  if (row.status === 'unknown') return { kind: 'unknown' };
  return { kind: 'begun', isRepeat: !row.is_new };
}
