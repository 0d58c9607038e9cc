import { queryRows, sql, type Queryable } from '@duework/sql';

/** Notes that a running run needs an object that is about to be put; false: this claim no longer owns it. */
export async function keepObject(db: Queryable, id: string, fence: number, key: string): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`
    INSERT INTO duework.job_objects (object_key, run_id, job_type)
    SELECT ${key}::text, r.id, r.job_type FROM duework.job_runs AS r
    WHERE r.id = ${id}::bigint AND r.fence = ${fence}::bigint AND r.status = 'running'
    RETURNING run_id::text AS id
  `,
  );
  return rows.length === 1;
}
