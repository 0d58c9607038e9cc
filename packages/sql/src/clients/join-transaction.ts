import { DueworkError } from '../errors/errors.js';
import { isTransaction } from './is-transaction.js';
import { isUnhooked } from './is-unhooked.js';
import { readTransactionId } from '../statement/read-transaction-id.js';
import type { RawClient } from '../statement/queryable.js';

/** The ids of known transactions, by the object that stands for each: it is read once, however many enqueues follow. */
const seen = new WeakMap<RawClient, Promise<string>>();

/**
 * The transaction that `db` claims to be, which a statement that writes compares with its own: its id, or '' where no
 * statement can leave it as long as it is open. null: `db` claims no transaction. Throws `not_in_transaction` where it is
 * known to have ended.
 *
 * A statement can leave its transaction, and nothing says so: an extension of a Prisma client runs it on another
 * connection (a `$queryRaw` hook that calls the outer client, row-level security that opens a transaction per query), or
 * nobody awaited it, and it was sent behind the COMMIT, or Prisma has rolled back at its timeout while it was on its way.
 * The job would stay when the business write is rolled back. Two statements of one transaction share an id; two that
 * left it do not.
 */
export function expectedTransaction(db: RawClient): Promise<string> | '' | null {
  if (!isTransaction(db)) return null;
  checkOpen(db);
  if (db.isSealed ?? isUnhooked(db)) return '';
  const known = seen.get(db);
  if (known !== undefined) return known;
  const id = readTransactionId(db);
  seen.set(db, id);
  return id;
}

/** What `not_in_transaction` says where the transaction has ended. */
export const NONE_IS_OPEN = { expected: 'an open one', actual: 'none is open' } as const;

/** Throws `not_in_transaction` where `db` claims to be a transaction and knows that none is open. */
export function checkOpen(db: RawClient): void {
  if (db.isTransaction === true && db.isOpen?.() === false) throw new DueworkError('not_in_transaction', NONE_IS_OPEN);
}
