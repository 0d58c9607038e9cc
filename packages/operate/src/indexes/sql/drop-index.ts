import { queryRows, sql, type Queryable } from '@duework/sql';
import { nameIndex } from './name-index.js';

/** Drops an index while everybody reads and writes. It may not stand in a transaction. */
export async function dropIndex(session: Queryable, name: string): Promise<void> {
  await queryRows(session, sql`DROP INDEX CONCURRENTLY IF EXISTS ${nameIndex(name)}`);
}
