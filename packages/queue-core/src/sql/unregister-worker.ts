import { queryRows, sql, type Queryable } from './sql.js';

/** Takes back that a worker can be told by its session: what a session of that name once registered would stay, and accuse it. */
export async function unregisterWorker(db: Queryable, name: string): Promise<void> {
  await queryRows(db, sql`DELETE FROM duework.workers WHERE name = ${name}::text`);
}
