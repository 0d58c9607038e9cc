import { queryRows, sql, type Queryable } from './sql.js';

/** The newest version of the lists that code has declared; 0: there is none. */
export async function readSourceVersion(db: Queryable): Promise<number> {
  const [row] = await queryRows<{ version: number }>(db, sql`SELECT coalesce(max(source_version), 0)::integer AS version FROM duework.schedules WHERE source = 'code'`);
  return row!.version;
}
