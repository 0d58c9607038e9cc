import { queryRows, sql, type Queryable } from '@duework/sql';

/** Notes that a run needs an object, before its row names it. */
export async function noteObject(db: Queryable, key: string, id: string): Promise<void> {
  await queryRows(
    db,
    sql`INSERT INTO duework.job_objects (object_key, run_id) VALUES (${key}::text, ${id}::text::bigint) RETURNING object_key`,
  );
}
