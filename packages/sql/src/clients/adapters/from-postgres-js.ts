import type { Theirs } from '../../statement/theirs.js';
import { adapt, type AdaptedClient } from './adapted-client.js';
import { byOwnNames } from './by-own-names.js';
import { keepAdapted } from './keep-adapted.js';

/** `sql` of postgres.js, the `sql` of its `begin`, or a reserved one. */
export interface PostgresJs {
  unsafe(text: string, values?: Theirs[], options?: { prepare?: boolean }): PromiseLike<readonly Theirs[]>;
  readonly notify: object;
  // in a transaction
  savepoint?: unknown;
  // outside of one
  begin?: unknown;
  // reserved
  release?: unknown;
}

interface Beginning {
  begin<T>(run: (tx: PostgresJs) => Promise<T>): Promise<T>;
}

/** A client of postgres.js, or the transaction of its `begin`. */
export const fromPostgresJs: (sql: PostgresJs) => AdaptedClient = keepAdapted((sql) => {
  const isTransaction = typeof sql.savepoint === 'function';
  return adapt({
    send: async ({ text, values }) => {
      // prepared, unless the client never prepares: else it would ask for the types of the values every time
      const rows = await sql.unsafe(text, values as unknown[], { prepare: true });
      // its `transform` may rename them
      return rows.map((row: object) => byOwnNames(row));
    },
    isTransaction: isTransaction || (typeof sql.release === 'function' ? null : false),
    // a client and its transactions share it
    $client: sql.notify,
    ...(typeof sql.begin === 'function' && {
      $transaction: <T>(run: (tx: AdaptedClient) => Promise<T>) =>
        (sql as unknown as Beginning).begin((tx) => run(fromPostgresJs(tx))),
    }),
  });
});
