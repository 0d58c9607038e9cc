import { DueworkError } from './errors.js';
import { readTransactionId } from './sql/read-transaction-id.js';
import type { Queryable } from './sql/sql.js';

/** The ids of known transactions, by their Prisma object: each is read once, however many enqueues follow. */
const seen = new WeakMap<Queryable, Promise<string>>();

/**
 * The id of the transaction that `db` claims to be, which the enqueueing statement compares with its own; null: `db` is
 * a client, and each statement commits by itself.
 *
 * A Prisma client extension can run a query on another connection than the transaction it was called in (a `$queryRaw`
 * hook that calls the outer client, row-level security that opens a transaction per query), and nothing says so: the
 * job would stay when the business write is rolled back. Two statements of one transaction share an id; two that left
 * it do not.
 */
export function expectedTransaction(db: Queryable): Promise<string> | null {
  if (!isTransactionClient(db)) return null;
  const known = seen.get(db);
  if (known !== undefined) return known;
  const id = readTransactionId(db);
  seen.set(db, id);
  return id;
}

/**
 * Throws `not_in_transaction` when the enqueueing statement ran in another transaction; then it has written nothing.
 */
export function checkJoined(expected: string | null, actual: string): void {
  // guard: enqueue-joined
  if (expected !== null && expected !== actual) throw new DueworkError('not_in_transaction', { expected, actual });
  // guard end: enqueue-joined
}

/** Prisma takes `$connect` away from the client it hands to a transaction. */
export function isClient(db: object): boolean {
  return typeof (db as { $connect?: unknown }).$connect === 'function';
}

function isTransactionClient(db: object): boolean {
  return '$transaction' in db && !isClient(db);
}
