import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Transactable } from '@duework/queue-core';
import { inTransaction, recogniseClient, type RawClient, type Statement } from '@duework/sql';
import { ApiError } from '../api-error.js';
import { cancelRead } from '../sql/cancel-read.js';

/** How long one statement may take that somebody waits for who only reads. */
const MOST_MS = 5_000;
/** A statement that still waits for a connection cannot be cancelled yet. */
const CANCEL_AGAIN_MS = 250;
/** Tells this process's statements from others'. */
const PROCESS = randomBytes(6).toString('hex');

/** Numbers that are free, so that there are few different texts: a client may keep what it knows of each. */
const free: number[] = [];
let numbers = 0;
const originals = new WeakMap<object, Transactable>();

/**
 * A client for what is only read. A statement that takes longer than `mostMs`, or whose asker has left (`signal`), is
 * cancelled in the server through another connection of `db`, and throws `query_too_slow`. It costs nothing before: each
 * statement begins with a comment that no other one on its way has, and by that it is found. So it does with whatever
 * client `db` is, and through a pooler.
 *
 * A cancel may come when its statement has just ended, and then hit the next one of that connection, which throws the
 * same; it takes some microseconds in 5 s. Statements in a transaction are not limited.
 */
export function limitReads(db: Transactable, signal?: AbortSignal, mostMs = MOST_MS): Transactable {
  const original = originals.get(db) ?? db;
  const client = (): RawClient => recogniseClient(original);
  const limited: Transactable = {
    isTransaction: false,
    get $client() {
      return client().$client ?? original;
    },
    $transaction: (run) => inTransaction(original, run),
    $queryRaw: <T>(statement: Statement) => ask<T>(client(), statement, mostMs, signal),
  };
  originals.set(limited, original);
  return limited;
}

async function ask<T>(client: RawClient, statement: Statement, mostMs: number, signal?: AbortSignal): Promise<T> {
  if (signal?.aborted) throw hasLeft();
  const number = free.pop() ?? ++numbers;
  const mark = `/* duework read ${PROCESS}-${number} */ `;
  const ended = new AbortController();
  let cancelling = Promise.resolve();
  const asked = Promise.resolve(client.$queryRaw<T>(marked(statement, mark)));
  const stopped = new Promise<never>((_, reject) => {
    const stop = (error: ApiError): void => {
      reject(error);
      cancelling = cancelUntil(ended.signal, client, mark);
    };
    const timer = setTimeout(() => stop(isTooSlow()), mostMs);
    const leave = (): void => stop(hasLeft());
    signal?.addEventListener('abort', leave, { once: true });
    ended.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    });
  });
  // a number is used again when no cancel is on its way that could hit the next one who has it
  const end = (): void => {
    ended.abort();
    void cancelling.then(() => free.push(number));
  };
  asked.then(end, end);
  return Promise.race([asked, stopped]);
}

async function cancelUntil(ended: AbortSignal, client: RawClient, mark: string): Promise<void> {
  while (!ended.aborted) {
    await cancelRead(client, mark).catch(() => {});
    await delay(CANCEL_AGAIN_MS, undefined, { signal: ended }).catch(() => {});
  }
}

function marked({ strings: [first, ...others], values, text }: Statement, mark: string): Statement {
  const sql = mark + text;
  return { strings: [mark + first!, ...others], values, text: sql, sql, statement: sql };
}

/** What is told of a statement that has taken too long, whoever has cancelled it. */
export const isTooSlow = (): ApiError =>
  new ApiError(
    'query_too_slow',
    'This took the database too long and was stopped. Ask for less: a narrower filter, a shorter time.',
  );

const hasLeft = (): ApiError => new ApiError('query_too_slow', 'The client closed the connection.');
