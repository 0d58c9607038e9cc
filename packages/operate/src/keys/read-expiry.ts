import { DueworkError } from '@duework/queue-core';

const MS_PER_UNIT: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_MS = 3_650 * 86_400_000;

/** How long a key lives: a whole number and a unit, up to ten years. */
export type KeyLifetime = `${number}${'s' | 'm' | 'h' | 'd'}`;

/** Milliseconds of a key's life; null where none is given. Throws `invalid_option`. */
export function readExpiry(expiresIn: KeyLifetime | undefined): number | null {
  if (expiresIn === undefined) return null;
  const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(expiresIn) ?? [];
  const ms = Number(amount) * (MS_PER_UNIT[unit ?? ''] ?? NaN);
  if (ms > 0 && ms <= MAX_MS) return ms;
  throw new DueworkError('invalid_option', {
    option: 'expiresIn',
    expected: 'a whole number with s, m, h or d behind it, such as "90d", of at most ten years',
    value: expiresIn,
  });
}
