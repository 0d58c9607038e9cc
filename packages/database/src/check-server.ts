import { DatabaseError } from './database-error.js';

const oldestMajor = 14;

/**
 * @param versionNumber `server_version_num`, for example 150004
 * @param encoding `server_encoding`, that of the database
 * @throws DatabaseError `database_version_unsupported`, `database_not_utf8`
 */
export function checkServer(versionNumber: number, encoding: string): void {
  checkVersion(versionNumber);
  if (encoding === 'UTF8') return;
  throw new DatabaseError('database_not_utf8', {
    problem: `The encoding of this database is ${encoding}, which cannot store every text.`,
    fix: "Use a database with UTF8: CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8', and move the tables with pg_dump.",
  });
}

function checkVersion(versionNumber: number): void {
  const major = Math.floor(versionNumber / 10_000);
  if (major >= oldestMajor) return;
  throw new DatabaseError('database_version_unsupported', {
    problem: `This is PostgreSQL ${major}.`,
    fix: `Use PostgreSQL ${oldestMajor} or newer.`,
  });
}
