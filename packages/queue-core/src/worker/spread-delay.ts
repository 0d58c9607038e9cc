/** The longest delay: 24.8 days, the most milliseconds that a signed 32-bit number holds. */
export const MAX_DELAY_MS = 2_147_483_647;

/** Part of the delay: a thousand runs that got the same `Retry-After` must not come back in the same second. */
const SPREAD = 0.2;

/**
 * A delay that a handler gave, in milliseconds: at least `leastMs`, and up to a fifth longer, never shorter. `random`
 * is in [0, 1).
 */
export function spreadDelay(delayMs: number, leastMs: number, random: number): number {
  return Math.min(MAX_DELAY_MS, Math.round(Math.max(delayMs, leastMs) * (1 + SPREAD * random)));
}
