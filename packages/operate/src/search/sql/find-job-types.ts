import type { Queryable } from '@duework/queue-core';
import { queryRows, sql, toArray } from '@duework/sql';

/** The types of jobs by their ids; those that are gone are left out. */
export async function findJobTypes(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRows<{ id: string; type: string }>(
    db,
    sql`
    SELECT i.id::text AS id, j.job_type AS type
    FROM unnest(${toArray(ids)}::text::bigint[]) AS i (id) CROSS JOIN LATERAL duework.find_job(i.id) AS j
  `,
  );
  return new Map(rows.map(({ id, type }) => [id, type]));
}
