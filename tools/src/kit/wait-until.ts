import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 20;
const LIMIT_MS = 30_000;

export interface WaitUntilOptions {
  /** How long at most; 30 s unless given. */
  readonly limitMs?: number;
  /** The time between two calls of `look`; 20 ms unless given. */
  readonly everyMs?: number;
}

/**
 * Calls `look` until it returns something other than undefined, null or false, and returns that.
 *
 * @param what for the error: `no answer of Redis`
 * @throws Error `<what> within 30 s.`
 */
export async function waitUntil<T>(
  what: string,
  look: () => T | Promise<T>,
  { limitMs = LIMIT_MS, everyMs = LOOK_MS }: WaitUntilOptions = {},
): Promise<Exclude<T, undefined | null | false>> {
  const begunMs = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found as Exclude<T, undefined | null | false>;
    if (performance.now() - begunMs > limitMs) throw new Error(`${what} within ${Math.round(limitMs / 1_000)} s.`);
    await pause(everyMs);
  }
}
