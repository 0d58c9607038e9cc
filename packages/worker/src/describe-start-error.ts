import { describeDatabaseError } from '@duework/database';

/**
 * The error on which a worker cannot start: one of ours, which is one line with its fix, and one that no database can have
 * caused, as they are; any other as the database's.
 */
export const describeStartError = (error: unknown, url: string): Error =>
  isOwn(error) || isOfRuntime(error) ? error : describeDatabaseError(error, url);

/** What JavaScript itself throws, and Node where `--permission` allows no worker threads. */
function isOfRuntime(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return code === 'ERR_ACCESS_DENIED' || (code === undefined && FAULTS.has(error.name));
}

const FAULTS = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError']);

/** Our codes are words in small letters; those of PostgreSQL, Node and Prisma are not. */
export const isOwn = (error: unknown): error is Error =>
  error instanceof Error && /^[a-z]+(_[a-z]+)+$/.test(String((error as { code?: unknown }).code));
