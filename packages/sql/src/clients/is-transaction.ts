import type { RawClient } from '../statement/queryable.js';

/** Whether each statement of `db` commits by itself. Prisma takes `$connect` away from what it hands to a transaction. */
export function isClient(db: RawClient): boolean {
  if (db.isTransaction !== undefined) return db.isTransaction === false;
  return typeof (db as { $connect?: unknown }).$connect === 'function';
}

/** Whether `db` claims to be a transaction; Prisma 6 takes `$transaction` away, too, and leaves the client it is of. */
export function isTransaction(db: RawClient): boolean {
  if (db.isTransaction !== undefined) return db.isTransaction === true;
  return !isClient(db) && ('$transaction' in db || isObject((db as { _originalClient?: unknown })._originalClient));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
