import { queryRows, sql, type Queryable } from '@duework/sql';

/** Waits until no other transaction is pushing contracts, and keeps others from it until this one ends. */
export async function lockContractPush(db: Queryable): Promise<void> {
  await queryRows(db, sql`SELECT 1 AS locked FROM pg_advisory_xact_lock(hashtextextended('duework.job_contracts', 0))`);
}
