import { checkDatabase, DatabaseError, type RawQueryable } from '@duework/database';
import type { Queryable } from '@duework/queue-core';
import { recogniseClient } from '@duework/queue-core/internals';
import { within } from '../within.js';

const LIMIT_MS = 1_000;

/**
 * Returns a check that resolves when the database answers within a second and is migrated, and rejects with the reason
 * otherwise. Probes that arrive while one is unanswered share it: a database that hangs must not use up the pool.
 */
export function createReadinessCheck(db: Queryable, databaseUrl: string | undefined): () => Promise<void> {
  let pending: Promise<void> | undefined;
  return () => {
    pending ??= checkDatabase(recogniseClient(db) as RawQueryable, databaseUrl)
      .catch((error: unknown) => {
        // the zone of the session is its owner's choice, and no statement of the queue depends on it
        if (!DatabaseError.is(error) || error.code !== 'database_not_utc') throw error;
      })
      .finally(() => {
        pending = undefined;
      });
    return within(LIMIT_MS, pending);
  };
}
