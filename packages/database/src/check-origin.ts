import { DatabaseError } from './database-error.js';
import { describeDatabaseError } from './describe-database-error.js';
import { parseDatabaseUrl } from './parse-database-url.js';
import type { RawQueryable } from './raw-queryable.js';
import { rawStatement } from './raw-statement.js';

/**
 * Checks whether this database lives where workers knew it before, and is no copy, whose jobs somebody else does; the first
 * worker of a database notes where that is.
 *
 * @param db - the client of a worker, for a database that is migrated
 * @param url - its URL, to name the database in the error; the password is never shown
 * @throws DatabaseError `database_copied`, one line with its fix
 */
export async function checkOrigin(db: RawQueryable, url: string): Promise<void> {
  let isAtHome: boolean;
  try {
    [{ isAtHome }] = await db.$queryRaw<[{ isAtHome: boolean }]>(
      rawStatement('SELECT duework.is_at_home() AS "isAtHome"'),
    );
  } catch (error) {
    throw describeDatabaseError(error, url);
  }
  if (isAtHome) return;
  throw copiedError(url);
}

export const copiedError = (url: string): DatabaseError =>
  new DatabaseError('database_copied', {
    problem: `The database ${parseDatabaseUrl(url).label} comes from another place or from a backup, and its jobs may be done already.`,
    fix: 'Is it a copy, say which jobs are dropped: npx duework origin empty. Was it restored from a backup, hold back what may have run: npx duework origin restored. Has the system itself moved here: npx duework origin moved',
  });
