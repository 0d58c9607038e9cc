import { readTransactionId } from './sql/read-transaction-id.js';
import type { Queryable } from './sql/sql.js';

/** The ids of known transactions, by their Prisma object: each is read once, however many enqueues follow. */
const seen = new WeakMap<Queryable, Promise<string>>();

/**
 * The id of the transaction that `db` claims to be, which the enqueueing statement compares with its own. null: there is
 * nothing to compare, because `db` is a client, and each statement commits by itself; or no statement can leave it.
 *
 * A Prisma client extension can run a query on another connection than the transaction it was called in (a `$queryRaw`
 * hook that calls the outer client, row-level security that opens a transaction per query), and nothing says so: the
 * job would stay when the business write is rolled back. Two statements of one transaction share an id; two that left
 * it do not.
 */
export function expectedTransaction(db: Queryable): Promise<string> | null {
  if (!isTransactionClient(db) || isUnhooked(db)) return null;
  const known = seen.get(db);
  if (known !== undefined) return known;
  const id = readTransactionId(db);
  seen.set(db, id);
  return id;
}

/** Prisma takes `$connect` away from the client it hands to a transaction. */
export function isClient(db: object): boolean {
  return typeof (db as { $connect?: unknown }).$connect === 'function';
}

function isTransactionClient(db: object): boolean {
  return '$transaction' in db && !isClient(db);
}

/**
 * Whether nothing stands between a Prisma transaction and its connection, asked as Prisma 7.10 asks itself: no extension
 * hooks raw queries, and `$queryRaw` and what it calls are Prisma's own, not an extension's, a subclass's or a wrapper's.
 * Where Prisma's insides look otherwise the answer is no, which costs a round trip and nothing else.
 */
function isUnhooked(db: object): boolean {
  const tx = db as PrismaInsides;
  try {
    // guard: enqueue-unhooked
    const hooks = [
      ...tx._extensions.getAllQueryCallbacks('$none', '$queryRaw'),
      ...tx._extensions.getAllBatchQueryCallbacks(),
    ];
    const own = ownMethods(tx._originalClient);
    return hooks.length === 0 && METHODS.every((name) => typeof own[name] === 'function' && tx[name] === own[name]);
    // guard end: enqueue-unhooked
  } catch {
    return false;
  }
}

/** What `$queryRaw` goes through on its way to the engine. */
const METHODS = ['$queryRaw', '$queryRawInternal', '_request', '_executeRequest'] as const;

type Methods = Partial<Record<(typeof METHODS)[number], unknown>>;

interface PrismaInsides extends Methods {
  readonly _originalClient: object;
  readonly _extensions: {
    getAllQueryCallbacks(model: string, operation: string): Iterable<unknown>;
    getAllBatchQueryCallbacks(): Iterable<unknown>;
  };
}

/** Of Prisma's own class, which is the one that makes transactions, behind any class that extends it. */
function ownMethods(client: object): Methods {
  let prototype = Object.getPrototypeOf(client) as object;
  while (!Object.hasOwn(prototype, '_createItxClient')) prototype = Object.getPrototypeOf(prototype) as object;
  return prototype;
}
