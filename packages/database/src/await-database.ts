import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from './database-error.js';

/** How long a worker, the API and a migration wait for a database that is not there yet, unless they are told otherwise. */
export const DATABASE_WAIT_MS = 60_000;
const TRY_AGAIN_MS = 500;

export interface AwaitOptions {
  /** For how long it is tried again, from the first error on; 0: not at all. */
  readonly waitMs: number;
  /** Called before the first wait with what is wrong and how long it still waits; again where something else is wrong. */
  readonly onWait: (error: DatabaseError, leftMs: number) => void;
  /** Ends the wait: an `AbortError`, or its reason, is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does something with a database that may not be there yet, because its machine boots, its container starts, it is full, or
 * `duework migrate` is not through: tries again until it works, or the time is over.
 *
 * @throws what `act` throws: at once where no wait mends it, such as a wrong password; else what it threw last
 */
export async function awaitDatabase<T>(act: () => Promise<T>, { waitMs, onWait, signal }: AwaitOptions): Promise<T> {
  let endMs: number | null = null;
  let told: string | null = null;
  let isLast = false;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      if (!DatabaseError.is(error) || !error.isTemporary) throw error;
      const nowMs = performance.now();
      const leftMs = (endMs ??= nowMs + waitMs) - nowMs;
      if (isLast || leftMs <= 0) throw error;
      // a sum of fractions less one of them is not the other one
      if (error.code !== told) onWait(error, Math.round(leftMs));
      told = error.code;
      // a timer may fire a little early
      isLast = leftMs <= TRY_AGAIN_MS;
      await delay(Math.min(TRY_AGAIN_MS, leftMs), undefined, signal && { signal });
    }
  }
}
