const MAX_MS = 86_400_000;
/** The shortest wait, so that a retry never starts at once. */
const MIN_MS = 1_000;

/**
 * The milliseconds that a `Retry-After` asks to wait, from 1 s to 24 h: seconds, or a date, which counts from the
 * answer's own `Date` where it has one. Null: the header is missing, or cannot be read.
 */
export function parseRetryAfter(value: string | undefined, answeredAt: Date): number | null {
  const text = value?.trim() ?? '';
  // a date contains the name of a day or month; Date.parse would read "-5" as a date, too
  const ms = /^\d+$/.test(text)
    ? Number(text) * 1_000
    : /[a-z]{3}/i.test(text)
      ? Date.parse(text) - answeredAt.getTime()
      : NaN;
  return Number.isNaN(ms) ? null : Math.round(Math.min(MAX_MS, Math.max(MIN_MS, ms)));
}
