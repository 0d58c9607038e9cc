import { queryRows, sql, type Queryable } from '@duework/sql';

/** The last id of a live run, null where there is none, and about how many there are, as the planner believes. */
export async function readPayloadSpan(db: Queryable): Promise<{ lastId: string | null; about: number }> {
  const [row] = await queryRows<{ lastId: string | null; about: number }>(
    db,
    sql`
    SELECT (SELECT max(id)::text FROM duework.job_runs) AS "lastId", greatest(0, reltuples)::float8 AS about
    FROM pg_class WHERE oid = 'duework.job_runs'::regclass
  `,
  );
  return row!;
}
