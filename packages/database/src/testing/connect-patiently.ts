import { type ConnectPrismaOptions, openPrisma } from '../connect-prisma.js';

/** No shorter than a test's own limit. */
const LIMIT_MS = 60_000;

/**
 * As `connectPrisma`, for tests: a statement waits for a connection, and a transaction may stay open, for as long as the test
 * lasts. A slow machine needs longer for a burst of callers, or for a race inside of a transaction, than a program should.
 */
export function connectPatiently(options: ConnectPrismaOptions): ReturnType<typeof openPrisma> {
  return openPrisma({ connectTimeoutMs: LIMIT_MS, ...options }, LIMIT_MS);
}
