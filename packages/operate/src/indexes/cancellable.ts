import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '@duework/queue-core';
import { cancelSession } from './sql/cancel-session.js';

/** A cancel that comes between two statements is lost, so it is repeated. */
const CANCEL_AGAIN_MS = 100;

/** Runs statements of a session; when the signal aborts, they are cancelled in the server. Ends after the last cancel. */
export function cancellable(
  pid: number,
  cancelThrough: Queryable,
  signal: AbortSignal | undefined,
): <T>(run: () => Promise<T>) => Promise<T> {
  return async (run) => {
    const ended = new AbortController();
    let cancelling = Promise.resolve();
    const cancel = (): void => void (cancelling = cancelUntil(ended.signal));
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    try {
      return await run();
    } finally {
      signal?.removeEventListener('abort', cancel);
      ended.abort();
      await cancelling;
    }
  };

  async function cancelUntil(ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      // a server that has gone away has ended the statement, too
      await cancelSession(cancelThrough, pid).catch(() => {});
      await pause(CANCEL_AGAIN_MS, undefined, { signal: ended }).catch(() => {});
    }
  }
}
