import { queryRows, sql, type Queryable } from '@duework/sql';

/** Notes that a run needs an object, which takes the place of another one, before its row names it. */
export async function noteObject(db: Queryable, key: string, id: string, instead: string): Promise<void> {
  await queryRows(
    db,
    sql`
    INSERT INTO duework.job_objects (object_key, run_id, job_type)
    SELECT ${key}::text, r.id, (
      SELECT o.job_type FROM duework.job_objects AS o WHERE o.object_key = ${instead}::text AND o.run_id = r.id
    )
    FROM (SELECT ${id}::text::bigint AS id) AS r
    RETURNING object_key
  `,
  );
}
