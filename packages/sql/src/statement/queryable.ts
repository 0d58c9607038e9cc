import type { Theirs } from './theirs.js';

/**
 * What is sent: a plain object with properties of its own, as every client takes it. A Prisma client with an extension
 * clones what its hooks get, and of an instance of somebody else's class only its own properties are left.
 */
export interface Statement {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  /** With $1, $2, … for the values. This one is sent; Prisma only asks whether there is a `sql`. */
  readonly text: string;
  readonly sql: string;
  readonly statement: string;
}

/**
 * Sends every statement: a Prisma client, an extended one, the transaction of your own write, or an adapter's result
 * for another library.
 */
export interface RawClient {
  // each client declares a type of its own for what it takes; it gets a `Statement`
  $queryRaw<T = unknown>(query: Theirs, ...values: never[]): PromiseLike<T>;
  /**
   * Whether this is a transaction that has begun (true) or a client, of which each statement commits by itself (false).
   * null: one session, on which its owner may have begun one. Default: Prisma's transactions are known by the missing
   * `$connect`.
   */
  readonly isTransaction?: boolean | null;
  /** Whether no statement of this transaction can run outside of it, so none needs a proof. */
  readonly isSealed?: boolean;
  /** Whether a transaction is open, asked before a statement is sent; absent: unknown. */
  readonly isOpen?: () => boolean;
  /** One object for a client and its transactions: what is kept per database is kept by it. */
  readonly $client?: object;
}

/** A client that can begin a transaction. */
export type Transactable = Queryable & {
  $transaction?: <T>(
    run: (tx: RawClient) => Promise<T>,
    options?: { maxWait?: number; timeout?: number },
  ) => Promise<T>;
};

/** A client or a pool of node-postgres, as it is. */
export type PgClient = {
  query(text: string, values: Theirs[]): Promise<{ rows: Theirs[] }>;
} & ({ escapeIdentifier(text: string): string } | { readonly totalCount: number });

/** Anything that a statement of this package can be sent through. */
export type Queryable = RawClient | PgClient;
