/** What a 32-bit count of milliseconds holds: 24.8 days, and so the longest delay there is. */
export const MAX_DELAY_MS = 2_147_483_647;

// guard: delay-spread
/** Of the delay; a `Retry-After` that a thousand runs were given must not bring them back in the same second. */
const SPREAD = 0.2;
// guard end: delay-spread

/**
 * A delay that a handler gave, in milliseconds: at least `leastMs`, and up to a fifth longer, never shorter. `random` is in
 * [0, 1).
 */
export function spreadDelay(delayMs: number, leastMs: number, random: number): number {
  return Math.min(MAX_DELAY_MS, Math.round(Math.max(delayMs, leastMs) * (1 + SPREAD * random)));
}
