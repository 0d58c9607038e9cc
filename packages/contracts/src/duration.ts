import { ContractError } from './contract-error.js';

const MS_PER_UNIT = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A length of time with its unit: `'250ms'`, `'30s'`, `'5m'`, `'2h'`, `'7d'`. */
export type Duration = `${number}${keyof typeof MS_PER_UNIT}`;

/** The longest duration that fits a 32-bit count of milliseconds, which is also what a timer can wait for. */
const MAX_MS = 2_147_483_647;

/**
 * Milliseconds of a duration, a whole number of at least 0. Throws `ContractError` (`invalid_duration`) for anything that is
 * not a number and a unit, or is over `maxMs`: 24.8 days, unless something else than a timer waits for it.
 */
export function parseDuration(duration: Duration, maxMs = MAX_MS): number {
  const text: string = typeof duration === 'string' ? duration : '';
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  const ms = Number(amount) * MS_PER_UNIT[unit as keyof typeof MS_PER_UNIT];
  if (!Number.isFinite(ms) || ms > maxMs) {
    throw new ContractError(
      'invalid_duration',
      `${typeof duration === 'string' ? JSON.stringify(text.slice(0, 50)) : `a value of type ${typeof duration}`} is not a duration such as "30s", "5m" or "2h" (at most ${Math.floor(maxMs / 8_640_000) / 10} days).`,
    );
  }
  return Math.round(ms);
}
