import type { Theirs } from '../../statement/theirs.js';
import { isUnhooked } from '../is-unhooked.js';
import { adapt, type AdaptedClient } from './adapted-client.js';
import { keepAdapted } from './keep-adapted.js';

/** A client of Prisma, extended or not, or the transaction of its `$transaction`. */
export interface Prisma {
  $queryRaw(query: Theirs, ...values: Theirs[]): PromiseLike<Theirs>;
}

interface PrismaParts {
  readonly $connect?: unknown;
  readonly $transaction?: <T>(run: (tx: Prisma) => Promise<T>) => Promise<T>;
  readonly _engine?: object;
}

/**
 * A client of Prisma, or its transaction. Both work without an adapter; use this for a class of yours that passes on
 * only `$queryRaw`: it counts as a transaction.
 */
export const fromPrisma: (tx: Prisma) => AdaptedClient = keepAdapted((tx) => {
  const { $connect, $transaction, _engine } = tx as PrismaParts;
  const isTransaction = typeof $connect !== 'function';
  return adapt({
    send: async (statement) => (await tx.$queryRaw(statement)) as unknown[],
    isTransaction,
    ...(isTransaction && { isSealed: isUnhooked(tx) }),
    ...(typeof _engine === 'object' && { $client: _engine }),
    ...(!isTransaction &&
      $transaction !== undefined && {
        $transaction: <T>(run: (inner: AdaptedClient) => Promise<T>) =>
          $transaction.call(tx, (inner) => run(fromPrisma(inner))) as Promise<T>,
      }),
  });
});
