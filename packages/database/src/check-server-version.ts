import { DatabaseError } from './database-error.js';

const oldestMajor = 14;

/**
 * @param versionNumber `server_version_num`, for example 150004
 * @throws DatabaseError `database_version_unsupported`
 */
export function checkServerVersion(versionNumber: number): void {
  const major = Math.floor(versionNumber / 10_000);
  if (major >= oldestMajor) return;
  throw new DatabaseError('database_version_unsupported', {
    problem: `This is PostgreSQL ${major}.`,
    fix: `Use PostgreSQL ${oldestMajor} or newer.`,
  });
}
