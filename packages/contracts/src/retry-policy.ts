import { ContractError } from './contract-error.js';
import { parseDuration, type Duration } from './duration.js';

/** How long to wait after the n-th failed attempt, before the jitter of ±20 % that every policy gets. Plain data. */
export type RetryPolicy =
  | { readonly kind: 'fixed'; readonly delayMs: number }
  | { readonly kind: 'exponential'; readonly baseMs: number; readonly factor: number; readonly capMs: number }
  | { readonly kind: 'quadratic'; readonly unitMs: number; readonly capMs: number }
  | { readonly kind: 'delays'; readonly delaysMs: readonly number[] };

const DEFAULT_CAP: Duration = '6h';

/** The same delay each time. */
export function fixed(delay: Duration): RetryPolicy {
  return { kind: 'fixed', delayMs: atLeastOneMs(delay) };
}

/** `base`, then `factor` times as long each time (default 2), never longer than `cap` (default 6 h). */
export function exponential(options: { base: Duration; factor?: number; cap?: Duration }): RetryPolicy {
  const { base, factor = 2, cap = DEFAULT_CAP } = options;
  if (!(factor >= 1 && factor <= 100)) {
    throw new ContractError(
      'invalid_retry_policy',
      `The factor of an exponential retry must be between 1 and 100, not ${factor}.`,
    );
  }
  return { kind: 'exponential', baseMs: atLeastOneMs(base), factor, capMs: atLeastOneMs(cap) };
}

/** attempt² × `unit` (10 s, 40 s, 90 s, … with a unit of 10 s), never longer than `cap` (default 6 h). */
export function quadratic(options: { unit: Duration; cap?: Duration }): RetryPolicy {
  const { unit, cap = DEFAULT_CAP } = options;
  return { kind: 'quadratic', unitMs: atLeastOneMs(unit), capMs: atLeastOneMs(cap) };
}

/** One delay per failed attempt; the last one repeats. */
export function delays(list: readonly Duration[]): RetryPolicy {
  if (list.length === 0)
    throw new ContractError('invalid_retry_policy', 'A list of retry delays needs at least one delay.');
  return { kind: 'delays', delaysMs: list.map(atLeastOneMs) };
}

/** Throws unless the delay is at least 1 ms: no policy retries at once. */
function atLeastOneMs(delay: Duration): number {
  const ms = parseDuration(delay);
  if (ms < 1)
    throw new ContractError(
      'invalid_retry_policy',
      `A retry must wait for at least 1 ms, not ${JSON.stringify(delay)}.`,
    );
  return ms;
}
