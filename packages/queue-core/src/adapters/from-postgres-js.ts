import { adapt, type AdaptedClient } from './adapted-client.js';
import { keepAdapted } from './keep-adapted.js';

/** `sql` of postgres.js, the `sql` of its `begin`, or a reserved one. */
export interface PostgresJs {
  unsafe(text: string, values?: any[]): PromiseLike<readonly any[]>;
  readonly options: object;
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
  const { options } = sql as { options: { transform?: { column?: { from?: Rename } } } };
  const rename = options.transform?.column?.from;
  const isTransaction = typeof sql.savepoint === 'function';
  return adapt({
    send: async ({ text, values }) => {
      const rows = await sql.unsafe(text, values as unknown[]);
      return rename === undefined ? [...rows] : rows.map((row: Record<string, unknown>) => byOwnNames(row, rename));
    },
    isTransaction: isTransaction || (typeof sql.release === 'function' ? null : false),
    // a client and its transactions share them
    $client: options,
    ...(!isTransaction &&
      typeof sql.begin === 'function' && {
        $transaction: <T>(run: (tx: AdaptedClient) => Promise<T>) =>
          (sql as unknown as Beginning).begin((tx) => run(fromPostgresJs(tx))),
      }),
  });
});

type Rename = (name: string) => string;

/** A row whose columns a `transform` of the client has renamed, read by their own names. */
function byOwnNames(row: Record<string, unknown>, rename: Rename): unknown {
  return new Proxy(row, { get: (target, name) => target[typeof name === 'string' ? rename(name) : (name as never)] });
}
