import { toString as describeCron } from 'cronstrue';
import { daysOf, haveDaysToFitBoth } from './cron-pattern.js';
import type { Rule } from './rule.js';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const;

/** The rule in plain words: `At 09:00, only on Monday, in Europe/Berlin`. */
export function describeRule({ kind, timeZone, startsAtMs, endsAtMs }: Rule): string {
  const words =
    kind.name === 'cron'
      ? `${describePattern(kind.pattern.text)}, in ${timeZone}`
      : kind.name === 'every'
        ? `Every ${describeMs(kind.ms).replace(/^1 /, '')}`
        : `Once, at ${iso(kind.ms)}`;
  return `${words}${startsAtMs === null ? '' : `, from ${iso(startsAtMs)}`}${endsAtMs === null ? '' : `, before ${iso(endsAtMs)}`}`;
}

/**
 * The words are another library's; where it does not know what the parser knows (`FRI#L`), the pattern itself is shown.
 */
function describePattern(text: string): string {
  try {
    return describeCron(text, { use24HourTimeFormat: true }) + describeDays(text);
  } catch {
    return `At ${text}`;
  }
}

/** How two days go together, where both are named. */
function describeDays(text: string): string {
  if (daysOf(text).includes('*')) return '';
  return haveDaysToFitBoth(text) ? ' (both must match)' : ' (one of them is enough)';
}

/** `90 minutes`: the duration in the largest unit that is exact. */
export function describeMs(ms: number): string {
  if (ms === 0) return '0 seconds';
  const [name, unitMs] = UNITS.find(([, unitMs]) => ms % unitMs === 0)!;
  const count = ms / unitMs;
  return `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
