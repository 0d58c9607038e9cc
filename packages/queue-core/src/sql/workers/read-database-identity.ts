import { queryRows, sql, type Queryable } from '@duework/sql';

/**
 * What a database has from when it was made to when it is dropped, with its schema; null: no migration is recorded yet.
 * The numbers of jobs and their fences begin again in one that is made anew, so that what is remembered of the old one
 * would fit other jobs in it.
 */
export async function readDatabaseIdentity(db: Queryable): Promise<string | null> {
  const [row] = await queryRows<{ identity: string | null }>(
    db,
    sql`
    SELECT d.oid || ' ' || (SELECT date_part('epoch', min(applied_at)) FROM duework.migrations) AS identity
    FROM pg_database AS d
    WHERE d.datname = current_database()
  `,
  );
  return row!.identity;
}
