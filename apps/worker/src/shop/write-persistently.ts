import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 250;

/**
 * Writes down an effect that has already left this system: a database that is away for a moment must not make it happen
 * again. Tries until it succeeds or `signal` aborts, and then once more; throws the last error.
 */
export async function writePersistently<T>(write: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const isLastTry = signal.aborted;
    try {
      return await write();
    } catch (error) {
      if (isLastTry) throw error;
      await delay(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }
}
