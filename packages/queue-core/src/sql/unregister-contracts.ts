import { queryRows, sql, type Queryable } from './sql.js';

/** Removes what a worker could run: it claims nothing any more. */
export async function unregisterContracts(db: Queryable, worker: string): Promise<void> {
  await queryRows(db, sql`DELETE FROM duework.worker_contracts WHERE worker = ${worker}::text`);
}
