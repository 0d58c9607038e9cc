import { describeDatabaseError } from '@duework/database';

/** The error on which a worker cannot start, as one line with its fix: one of ours as it is, any other as the database's. */
export const describeStartError = (error: unknown, url: string): Error =>
  isOwn(error) ? error : describeDatabaseError(error, url);

/** Our codes are words in small letters; those of PostgreSQL, Node and Prisma are not. */
export const isOwn = (error: unknown): error is Error =>
  error instanceof Error && /^[a-z]+(_[a-z]+)+$/.test(String((error as { code?: unknown }).code));
