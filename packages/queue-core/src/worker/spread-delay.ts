import { LONGEST_MS } from '@duework/contracts';

/** Part of the delay: a thousand runs that got the same `Retry-After` must not come back in the same second. */
const SPREAD = 0.2;

/**
 * A delay that a handler gave, in milliseconds: at least `leastMs`, and up to a fifth longer, never shorter. `random`
 * is in [0, 1).
 */
export function spreadDelay(delayMs: number, leastMs: number, random: number): number {
  return Math.min(LONGEST_MS, Math.round(Math.max(delayMs, leastMs) * (1 + SPREAD * random)));
}
