import { rawStatement } from './raw-statement.js';
import type { RawQueryable } from './raw-queryable.js';

/** The identity, in a statement that has read the ledger of migrations. */
export const identity = `(
  SELECT d.oid || ' ' || (SELECT date_part('epoch', min(applied_at)) FROM duework.migrations)
  FROM pg_database AS d WHERE d.datname = current_database())`;

/**
 * What a database has from when it was made to when it is dropped, with its schema; null: no migration is recorded yet.
 * The numbers of jobs and their fences begin again in one that is made anew, so that what is remembered of the old one
 * would fit other jobs in it.
 */
export async function readDatabaseIdentity(db: RawQueryable): Promise<string | null> {
  const [row] = await db.$queryRaw<[{ identity: string | null }]>(rawStatement(`SELECT ${identity} AS identity`));
  return row.identity;
}
