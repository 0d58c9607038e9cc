import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 20;
const LIMIT_MS = 30_000;

export interface WaitUntilOptions {
  /** How long at most; 30 s unless given. */
  readonly limitMs?: number;
  /** Between two looks; 20 ms unless given. */
  readonly everyMs?: number;
}

/**
 * Looks until a fact is there: until `look` gives something other than undefined, null or false, which it returns.
 *
 * @param what for the message: `no answer of Redis`
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
