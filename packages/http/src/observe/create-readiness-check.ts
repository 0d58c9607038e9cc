import { checkDatabase, DatabaseError, type RawQueryable } from '@duework/database';
import type { Queryable } from '@duework/queue-core';
import { recogniseClient } from '@duework/sql';
import { countJobsWithoutWorker } from '../sql/count-jobs-without-worker.js';
import { within } from '../within.js';

const LIMIT_MS = 1_000;

/**
 * Returns a check that resolves when the database answers within a second and is migrated, and rejects with the reason
 * otherwise. Probes that arrive while one is unanswered share it: a database that hangs must not use up the pool.
 */
export function createReadinessCheck(db: Queryable, databaseUrl: string | undefined): () => Promise<void> {
  return shared(() =>
    checkDatabase(recogniseClient(db) as RawQueryable, databaseUrl).catch((error: unknown) => {
      // the zone of the session is its owner's choice, and no statement of the queue depends on it
      if (!DatabaseError.is(error) || error.code !== 'database_not_utc') throw error;
    }),
  );
}

/** Returns a look at how many due jobs wait while no worker lives; null: one lives, or the database did not say in time. */
export function createWorkerCheck(db: Queryable): () => Promise<number | null> {
  const count = shared(() => countJobsWithoutWorker(db));
  return () => count().catch(() => null);
}

/** Whoever asks while an answer is awaited gets that one, within a second. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= ask().finally(() => {
      pending = undefined;
    });
    return within(LIMIT_MS, pending);
  };
}
