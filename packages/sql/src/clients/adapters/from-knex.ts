import type { Theirs } from '../../statement/theirs.js';
import { adapt, type AdaptedClient } from './adapted-client.js';
import { keepAdapted } from './keep-adapted.js';

/** A client or transaction of Knex on PostgreSQL. */
export interface Knex {
  raw(text: string, values: Theirs): Theirs;
  transaction(run: (trx: Theirs) => Promise<Theirs>): Promise<Theirs>;
  readonly client: { readonly config: object };
  // in a transaction
  readonly isTransaction?: boolean;
  isCompleted?(): boolean;
}

interface KnexRaw extends PromiseLike<Answer> {
  on(event: 'query-response', listen: (processed: unknown, query: { response?: Answer }) => void): KnexRaw;
}

interface Answer {
  readonly rows: readonly unknown[];
}

/** A client of Knex, or the transaction of its `transaction`. */
export const fromKnex: (trx: Knex) => AdaptedClient = keepAdapted((trx) => {
  const isTransaction = trx.isTransaction === true;
  return adapt({
    send: async ({ strings, values }) => {
      const text = strings.map((string) => string.replaceAll('?', '\\?')).join('?');
      let rows: readonly unknown[] | undefined;
      // as PostgreSQL sent them: `postProcessResponse` of the client may rename the columns
      const raw = (trx.raw(text, [...values]) as KnexRaw).on('query-response', (_processed, { response }) => {
        rows = response?.rows;
      });
      const answer = await raw;
      return rows ?? answer.rows;
    },
    isTransaction,
    // a client and its transactions share it
    $client: trx.client.config,
    ...(isTransaction
      ? { isSealed: true, isOpen: () => trx.isCompleted?.() !== true }
      : { $transaction: (run) => trx.transaction((inner: Knex) => run(fromKnex(inner))) }),
  });
});
