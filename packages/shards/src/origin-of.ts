import type { Queryable } from '@duework/queue-core';
import { readOrigin, writeOrigin } from './sql/origin-row.js';

/**
 * The name that a database's forwards carry: its shard's, or a random one that is made once and kept. `db`: a client,
 * because a transaction could roll back that name.
 */
export async function originOf(db: Queryable): Promise<string> {
  const name = await readOrigin(db);
  if (name !== null) return name;
  await writeOrigin(db);
  return (await readOrigin(db))!;
}
