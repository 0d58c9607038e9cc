import type { Queryable } from '@duework/queue-core';
import { queryRows, sql } from '@duework/sql';

export async function setSavepoint(db: Queryable): Promise<void> {
  await queryRows(db, sql`SAVEPOINT duework_attempt`);
}

export async function releaseSavepoint(db: Queryable): Promise<void> {
  await queryRows(db, sql`RELEASE SAVEPOINT duework_attempt`);
}

/** Makes a transaction usable again in which a statement has failed; what was written since the savepoint is undone. */
export async function rollBackToSavepoint(db: Queryable): Promise<void> {
  await queryRows(db, sql`ROLLBACK TO SAVEPOINT duework_attempt`);
}
