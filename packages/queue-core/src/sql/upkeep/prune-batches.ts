import type { Retention } from '../../ports/upkeep.js';
import { queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Deletes batches that have settled so long ago as finished jobs are kept, or dead ones where they have any, with what
 * they list: at most `batch` batches, and as many of their jobs; returns how many of what was more.
 */
export async function pruneBatches(
  db: Queryable,
  { keepDays, keepDeadDays }: Retention,
  batch: number,
): Promise<number> {
  const deadDays = Math.max(keepDays, keepDeadDays);
  const [row] = await queryRows<{ gone: number }>(
    db,
    sql`
    WITH old AS MATERIALIZED (
      SELECT b.id FROM duework.job_batches AS b
      WHERE b.created_at < ${midnight(keepDays)} AND b.settled_at < ${midnight(keepDays)}
        AND (b.dead = 0 OR b.settled_at < ${midnight(deadDays)})
      ORDER BY b.created_at LIMIT ${batch}::integer
    ),
    listed AS (
      DELETE FROM duework.job_batch_jobs AS j WHERE j.ctid = ANY(ARRAY(
        SELECT x.ctid FROM old AS o CROSS JOIN LATERAL (
          SELECT i.ctid FROM duework.job_batch_jobs AS i WHERE i.batch_id = o.id LIMIT ${batch}::integer
        ) AS x
        LIMIT ${batch}::integer
      ))
      RETURNING j.batch_id
    ),
    -- not before the last job that it lists
    gone AS (
      DELETE FROM duework.job_batches AS b WHERE b.id IN (
        SELECT o.id FROM old AS o
        WHERE (SELECT count(*) FROM listed AS l WHERE l.batch_id = o.id) = (
          SELECT count(*) FROM (
            SELECT FROM duework.job_batch_jobs AS i WHERE i.batch_id = o.id LIMIT ${batch}::integer + 1
          ) AS all_of
        )
      )
      RETURNING b.id
    )
    SELECT greatest((SELECT count(*) FROM gone), (SELECT count(*) FROM listed))::integer AS gone
  `,
  );
  return row!.gone;
}

/** The beginning of the day before which what goes has ended, in UTC, as for rows of the history. */
const midnight = (days: number) =>
  sql`((now() AT TIME ZONE 'UTC')::date - ${days}::integer)::timestamp AT TIME ZONE 'UTC'`;
