import { LONGEST_MS, type RetryPolicy } from '@duework/contracts';

/** ±20 %, so that hundreds of runs that failed together do not come back in the same second. */
const JITTER = 0.2;

/**
 * Milliseconds to wait after the `attempt`-th failed attempt (from 1), at least 1.
 * `random` is in [0, 1); 0.5 is the policy's own delay.
 */
export function computeBackoff(policy: RetryPolicy, attempt: number, random: number): number {
  const jittered = delayOf(policy, attempt) * (1 - JITTER + 2 * JITTER * random);
  return Math.min(LONGEST_MS, Math.max(1, Math.round(jittered)));
}

/**
 * The least delay of a retry, in milliseconds, whatever its handler asks for: the policy's delay after the first
 * failure.
 */
export function leastBackoffMs(policy: RetryPolicy): number {
  return delayOf(policy, 1);
}

function delayOf(policy: RetryPolicy, attempt: number): number {
  switch (policy.kind) {
    case 'fixed':
      return policy.delayMs;
    case 'exponential':
      return Math.min(policy.capMs, policy.baseMs * policy.factor ** (attempt - 1));
    case 'quadratic':
      return Math.min(policy.capMs, policy.unitMs * attempt ** 2);
    case 'delays':
      return policy.delaysMs[Math.min(attempt, policy.delaysMs.length) - 1] ?? 0;
  }
}

/** Part of the delay: a thousand runs that got the same `Retry-After` must not come back in the same second. */
const SPREAD = 0.2;

/**
 * A delay that a handler gave, in milliseconds: at least `leastMs`, and up to a fifth longer, never shorter. `random`
 * is in [0, 1).
 */
export function spreadDelay(delayMs: number, leastMs: number, random: number): number {
  return Math.min(LONGEST_MS, Math.round(Math.max(delayMs, leastMs) * (1 + SPREAD * random)));
}
