import { queryRows, sql, type Queryable } from '@duework/sql';

/**
 * Removes a worker's row: one that an earlier session of that name left would make a worker behind a pooler look
 * vanished.
 */
export async function unregisterWorker(db: Queryable, name: string): Promise<void> {
  await queryRows(db, sql`DELETE FROM duework.workers WHERE name = ${name}::text`);
}
