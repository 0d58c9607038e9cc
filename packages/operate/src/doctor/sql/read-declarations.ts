import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

/** A list of schedules that living workers of a program have declared. */
export interface DeclaredList {
  readonly program: string;
  readonly version: number;
  readonly workers: readonly string[];
  readonly codeVersions: readonly string[];
  /** For how long the first of these workers has lived. */
  readonly seconds: number;
}

/** The lists of each program of which living workers have declared more than one, sorted by program. */
export function readDeclarations(db: Queryable): Promise<DeclaredList[]> {
  return queryRows(
    db,
    sql`
    WITH lists AS (
      SELECT d.program, d.version, d.list_hash, array_agg(d.worker ORDER BY d.worker) AS workers,
        coalesce(array_agg(DISTINCT w.code_version) FILTER (WHERE w.code_version IS NOT NULL), '{}') AS code_versions,
        extract(epoch FROM now() - min(w.started_at))::float8 AS seconds
      FROM duework.schedule_declarations AS d JOIN duework.worker_contracts AS w ON w.worker = d.worker
      WHERE w.seen_at > now() - interval '3 minutes'
        AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))
      GROUP BY d.program, d.version, d.list_hash
    )
    SELECT program, version, workers, code_versions AS "codeVersions", seconds
    FROM (SELECT *, count(*) OVER (PARTITION BY program) AS others FROM lists) AS counted
    WHERE others > 1
    ORDER BY program, seconds DESC, list_hash
  `,
  );
}
