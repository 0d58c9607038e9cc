import type { Catalog } from '@duework/contracts';
import { cancelOnAbort, type Prisma, type PrismaClient, type RawQueryable } from '@duework/database';
import type { Clock, Middleware } from '@duework/queue-core';

/** What a handler asks the database with. */
export interface AttemptDatabase {
  /**
   * Runs statements in a transaction that ends with the attempt: when its signal aborts, the running statement is
   * cancelled in the server and the transaction is rolled back; no statement may take longer than the attempt has left.
   * Throws the signal's reason then. Writes that must survive the attempt go through the client itself.
   */
  readonly transaction: <T>(run: (tx: Prisma.TransactionClient) => Promise<T>) => Promise<T>;
}

export interface BindOptions {
  readonly db: PrismaClient;
  /** Sends the cancels; it is not the handlers' client, whose connections may all be in use. */
  readonly cancelThrough: RawQueryable;
  readonly catalog: Catalog;
  readonly clock: Clock;
}

/** Gives each handler a database that is bound to its attempt. */
export function bindDatabase({ db, cancelThrough, catalog, clock }: BindOptions): Middleware<AttemptDatabase> {
  const limits = new Map(catalog.map(({ type, timeoutMs }) => [type, timeoutMs]));
  return ({ run, signal }, next) => {
    const endMs = clock.monotonicMs() + (limits.get(run.type) ?? 0);
    return next({
      transaction: (act) =>
        cancelOnAbort(db, signal, act, { timeoutMs: Math.max(1, endMs - clock.monotonicMs()), cancelThrough }),
    });
  };
}
