import type { JobStatus } from '../job.js';
import { queryRows, sql, type Queryable } from './sql.js';

/** The status and due time of runs, live or finished; an id that does not exist has no row. */
export function findStatuses(
  db: Queryable,
  ids: readonly string[],
): Promise<{ id: string; status: JobStatus; run_at_ms: number }[]> {
  return queryRows(
    db,
    sql`
    SELECT i.id::text AS id, f.status, (extract(epoch FROM f.run_at) * 1000)::float8 AS run_at_ms
    FROM unnest(${ids}::bigint[]) AS i (id)
    CROSS JOIN LATERAL duework.find_run_status(i.id) AS f
    WHERE f.status IS NOT NULL
  `,
  );
}
