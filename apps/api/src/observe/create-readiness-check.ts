import { checkDatabase, type PrismaClient } from '@duework/database';
import { within } from '../within.js';

const LIMIT_MS = 1_000;

/**
 * Returns a check that resolves when the database answers within a second and is migrated, and rejects with the reason
 * otherwise. Probes that arrive while one is unanswered share it: a database that hangs must not use up the pool.
 */
export function createReadinessCheck(db: PrismaClient, databaseUrl: string): () => Promise<void> {
  let pending: Promise<void> | undefined;
  return () => {
    pending ??= checkDatabase(db, databaseUrl).finally(() => {
      pending = undefined;
    });
    return within(LIMIT_MS, pending);
  };
}
