import { setTimeout as delay } from 'node:timers/promises';
import type { RawQueryable } from './raw-queryable.js';
import { Prisma } from './generated/client.js';

/** A client that begins transactions: Prisma's, or the one of `connectPg`. */
export interface Transacting<TTx extends RawQueryable> {
  $transaction<T>(
    run: (tx: TTx) => Promise<T>,
    options?: { readonly timeout?: number; readonly maxWait?: number },
  ): Promise<T>;
}

export interface CancelOptions {
  /** How long a statement may take in the server, and the transaction in all. */
  readonly timeoutMs: number;
  /**
   * Sends the cancels: a client with connections of its own, because those of `db` may all be busy with hanging
   * statements.
   */
  readonly cancelThrough: RawQueryable;
}

/** A cancel that arrives between two statements is lost, so it is repeated. */
const CANCEL_AGAIN_MS = 100;
/** The server's time limit comes first, because its error says what happened. */
const MARGIN_MS = 1_000;
const MAX_WAIT_MS = 5_000;

/**
 * Runs statements in a transaction that ends when `signal` aborts: the running statement is cancelled in the server
 * (`pg_cancel_backend`), everything is rolled back, and the signal's reason is thrown. A signal alone ends no
 * statement: the program would go on waiting, or leave the statement running with its locks.
 *
 * No cancel hits the next user of the connection, because the transaction ends after the last cancel was answered. A
 * commit that has begun is not cancelled.
 *
 * Throws what `run` throws; PostgreSQL's `57014` for a statement that took longer than `timeoutMs`.
 */
export async function cancelOnAbort<TTx extends RawQueryable, T>(
  db: Transacting<TTx>,
  signal: AbortSignal,
  run: (tx: TTx) => Promise<T>,
  { timeoutMs, cancelThrough }: CancelOptions,
): Promise<T> {
  signal.throwIfAborted();
  let isGivenUp = false;
  let stopWaiting = (): void => {};
  const transaction = db.$transaction(
    async (tx) => {
      stopWaiting();
      // the caller has gone; nothing was done yet, and nobody awaits this error
      if (isGivenUp) throw signal.reason;
      return runOn(tx, signal, run, Math.max(1, Math.ceil(timeoutMs)), cancelThrough);
    },
    { timeout: timeoutMs + MARGIN_MS, maxWait: MAX_WAIT_MS },
  );
  const abortedWhileWaiting = new Promise<never>((_, reject) => {
    const giveUp = (): void => {
      isGivenUp = true;
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    stopWaiting = () => signal.removeEventListener('abort', giveUp);
  });
  try {
    return await Promise.race([transaction, abortedWhileWaiting]);
  } finally {
    stopWaiting();
  }
}

async function runOn<TTx extends RawQueryable, T>(
  tx: TTx,
  signal: AbortSignal,
  run: (tx: TTx) => Promise<T>,
  timeoutMs: number,
  cancelThrough: RawQueryable,
): Promise<T> {
  const [{ pid }] = await tx.$queryRaw<[{ pid: number }]>(
    Prisma.sql`SELECT pg_backend_pid() AS pid, set_config('statement_timeout', ${String(timeoutMs)}::text, true)`,
  );
  const ended = new AbortController();
  let cancelling = Promise.resolve();
  const cancel = (): void => void (cancelling = cancelUntil(ended.signal, pid, cancelThrough));
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    const result = await run(tx);
    // an aborted attempt writes nothing any more
    signal.throwIfAborted();
    return result;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    ended.abort();
    await cancelling;
  }
}

/** Cancels what the connection runs, again and again, because `run` may send one more statement. */
async function cancelUntil(ended: AbortSignal, pid: number, through: RawQueryable): Promise<void> {
  while (!ended.aborted) {
    // a server that went away has ended the statement as well; else statement_timeout ends it
    await through.$queryRaw(Prisma.sql`SELECT pg_cancel_backend(${pid}::integer)`).catch(() => {});
    await delay(CANCEL_AGAIN_MS, undefined, { signal: ended }).catch(() => {});
  }
}
