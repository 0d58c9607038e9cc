import type { Theirs } from '../../statement/theirs.js';
import { adapt, type AdaptedClient } from './adapted-client.js';
import { keepAdapted } from './keep-adapted.js';

/** A database or transaction of Kysely on PostgreSQL, whatever its dialect's driver. */
export interface Kysely {
  executeQuery(query: Theirs): Promise<{ readonly rows: Theirs[] }>;
  withoutPlugins(): Theirs;
  getExecutor(): { readonly adapter: object };
  transaction(): { execute(run: (trx: Theirs) => Promise<Theirs>): Promise<Theirs> };
  readonly isTransaction: boolean;
}

/** A database of Kysely, or the transaction of its `transaction`. */
export const fromKysely: (trx: Kysely) => AdaptedClient = keepAdapted((trx) => {
  // a plugin that renames columns would rename the fields of payloads, too
  const plain = trx.withoutPlugins() as Kysely;
  return adapt({
    send: async ({ text, values }) => {
      const node = { kind: 'RawNode', sqlFragments: [text], parameters: [] };
      const query = { sql: text, parameters: values, query: node, queryId: { queryId: 'duework' } };
      return (await plain.executeQuery(query)).rows;
    },
    isTransaction: trx.isTransaction,
    // a database and its transactions share it
    $client: trx.getExecutor().adapter,
    ...(!trx.isTransaction && {
      $transaction: (run) => trx.transaction().execute((inner: Kysely) => run(fromKysely(inner))),
    }),
  });
});
