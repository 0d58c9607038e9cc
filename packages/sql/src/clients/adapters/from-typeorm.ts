import type { Theirs } from '../../statement/theirs.js';
import { adapt, type AdaptedClient } from './adapted-client.js';
import { keepAdapted } from './keep-adapted.js';

/** A data source of TypeORM on PostgreSQL, a manager, or a query runner. */
export interface Typeorm {
  query(text: string, values?: Theirs[]): Promise<Theirs>;
  // a manager in a transaction, or one that a query runner made
  readonly queryRunner?: Typeorm | undefined;
  // a query runner
  readonly isTransactionActive?: boolean;
  // a manager has one, and a query runner
  readonly connection?: object;
  readonly dataSource?: object;
}

interface Transacting {
  transaction<T>(run: (manager: Typeorm) => Promise<T>): Promise<T>;
}

/**
 * The manager of TypeORM's `transaction`, or a query runner on which you have begun one: what is enqueued through it
 * after its end is refused. Or a data source, or its manager, whose statements commit by themselves.
 */
export const fromTypeorm: (manager: Typeorm) => AdaptedClient = keepAdapted((manager) => {
  const runner = manager.isTransactionActive === undefined ? manager.queryRunner : manager;
  const send = async (text: string, values: readonly unknown[]): Promise<readonly unknown[]> => {
    const answer = (await manager.query(text, [...values])) as unknown[];
    // of an UPDATE or a DELETE it returns the rows and their number
    return Array.isArray(answer[0]) ? answer[0] : answer;
  };
  return adapt({
    send: ({ text, values }) => send(text, values),
    $client: manager.dataSource ?? manager.connection ?? manager,
    ...(runner !== undefined
      ? { isTransaction: true, isSealed: true, isOpen: () => runner.isTransactionActive === true }
      : {
          isTransaction: false,
          $transaction: <T>(run: (tx: AdaptedClient) => Promise<T>) =>
            (manager as unknown as Transacting).transaction((inner) => run(fromTypeorm(inner))),
        }),
  });
});
