import type { Theirs } from '../../statement/theirs.js';
import { adapt, type AdaptedClient } from './adapted-client.js';
import { keepAdapted } from './keep-adapted.js';

/** A database or transaction of Drizzle on PostgreSQL, whatever its driver. */
export interface Drizzle {
  execute(query: Theirs): PromiseLike<Theirs>;
  transaction(run: (tx: Theirs) => Promise<Theirs>, ...config: never[]): Promise<Theirs>;
  // a transaction has it
  rollback?: unknown;
}

/** `sql` of drizzle-orm. */
export interface DrizzleSql {
  raw(text: string): Theirs;
  param(value: unknown): Theirs;
  join(chunks: Theirs[]): Theirs;
}

/** A database of Drizzle, or the transaction of its `transaction`, with `sql` of `drizzle-orm`. */
export const fromDrizzle: (tx: Drizzle, sql: DrizzleSql) => AdaptedClient = keepAdapted(
  (tx: Drizzle, sql: DrizzleSql) => {
    const isTransaction = typeof tx.rollback === 'function';
    // a database and its transactions share it
    const { dialect } = tx as { dialect?: object };
    return adapt({
      send: async ({ strings, values }) => {
        // param, because an array is spread over several parameters otherwise
        const parts = strings.flatMap((text, place) =>
          place < values.length ? [sql.raw(text), sql.param(values[place])] : [sql.raw(text)],
        );
        const answer = (await tx.execute(sql.join(parts))) as { rows?: unknown[] } & unknown[];
        return answer.rows ?? [...answer];
      },
      isTransaction,
      ...(dialect !== undefined && { $client: dialect }),
      ...(!isTransaction && {
        $transaction: (run) => tx.transaction((inner: Drizzle) => run(fromDrizzle(inner, sql))),
      }),
    });
  },
);
