import { ContractError } from './contract-error.js';

const MS_PER_UNIT = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A length of time with its unit: `'250ms'`, `'30s'`, `'5m'`, `'2h'`, `'7d'`. */
export type Duration = `${number}${keyof typeof MS_PER_UNIT}`;

/** The longest duration, in milliseconds: ten years. */
export const LONGEST_MS = 3_650 * 86_400_000;

/**
 * Milliseconds of a duration, a whole number from 0 to ten years (3,650 days). Throws `ContractError` (`invalid_duration`)
 * for anything that is not a number and a unit, or is longer.
 */
export function parseDuration(duration: Duration): number {
  const text: string = typeof duration === 'string' ? duration : '';
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  const ms = Number(amount) * MS_PER_UNIT[unit as keyof typeof MS_PER_UNIT];
  if (!Number.isFinite(ms) || ms > LONGEST_MS) {
    throw new ContractError(
      'invalid_duration',
      `${typeof duration === 'string' ? JSON.stringify(text.slice(0, 50)) : `a value of type ${typeof duration}`} is not a duration such as "30s", "5m" or "90d" (at most 3650d, which is ten years).`,
    );
  }
  return Math.round(ms);
}
