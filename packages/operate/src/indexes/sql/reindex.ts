import { queryRows, sql, type Queryable } from '@duework/sql';
import { nameIndex } from './name-index.js';

/** Builds an index anew beside the old one, while everybody reads and writes. It may not stand in a transaction. */
export async function reindex(session: Queryable, name: string): Promise<void> {
  await queryRows(session, sql`REINDEX INDEX CONCURRENTLY ${nameIndex(name)}`);
}
