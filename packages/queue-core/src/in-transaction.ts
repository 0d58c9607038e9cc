import type { Queryable } from './sql/sql.js';

/** A client of Prisma or of `connectPg`, which can begin a transaction, or a transaction that has begun. */
export type Transactable = Queryable & {
  $transaction?: <T>(
    run: (tx: Queryable) => Promise<T>,
    options?: { maxWait?: number; timeout?: number },
  ) => Promise<T>;
  $connect?: unknown;
};

const MAX_WAIT_MS = 5_000;
const TIMEOUT_MS = 15_000;

/** Calls `run` in a new transaction, or in the caller's where `db` is one. */
export function inTransaction<T>(db: Transactable, run: (tx: Queryable) => Promise<T>): Promise<T> {
  // Prisma takes $connect away from the client it hands to a transaction
  if (typeof db.$transaction !== 'function' || typeof db.$connect !== 'function') return run(db);
  return db.$transaction(run, { maxWait: MAX_WAIT_MS, timeout: TIMEOUT_MS });
}
