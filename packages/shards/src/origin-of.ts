import type { Queryable } from '@duework/queue-core';
import { readOrigin, writeOrigin } from './sql/origin-row.js';

/**
 * The name by which others know the forwards of a database: that of its shard, else one that it is given by chance when it
 * is first asked for, and keeps. `db`: a client, because what a transaction has named could be rolled back.
 */
export async function originOf(db: Queryable): Promise<string> {
  const name = await readOrigin(db);
  if (name !== null) return name;
  await writeOrigin(db);
  return (await readOrigin(db))!;
}
