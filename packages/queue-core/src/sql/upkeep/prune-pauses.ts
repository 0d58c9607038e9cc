import { queryRows, sql, type Queryable } from '@duework/sql';

/** Deletes pauses that have ended: they hold nobody back, but every claim would read them. */
export async function prunePauses(db: Queryable): Promise<void> {
  await queryRows(db, sql`DELETE FROM duework.pauses WHERE until <= now()`);
}
