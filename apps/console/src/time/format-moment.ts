import { formatShortDuration } from './format-duration.js';

export type Zone = 'local' | 'utc';

const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: Zone, parts: Intl.DateTimeFormatOptions, name: string): Intl.DateTimeFormat {
  const key = zone + name;
  const known = formats.get(key);
  if (known !== undefined) return known;
  // Sweden writes dates as ISO 8601 does
  const made = new Intl.DateTimeFormat('sv-SE', { ...parts, ...(zone === 'utc' ? { timeZone: 'UTC' } : {}) });
  formats.set(key, made);
  return made;
}

/** `2026-11-23 14:02:07`, in the zone that was chosen. */
export const formatMoment = (at: Date, zone: Zone): string => formatOf(zone, { ...day, ...time }, 'all').format(at);

/** `14:02:07` of the same day as `beside`, else with its date. */
export function formatTime(at: Date, zone: Zone, beside: Date): string {
  const dayOf = formatOf(zone, day, 'day');
  return dayOf.format(at) === dayOf.format(beside) ? formatOf(zone, time, 'time').format(at) : formatMoment(at, zone);
}

/** `3 m ago`, `in 2 h`, `now`. */
export function formatAge(at: Date, now: number): string {
  const ms = now - at.getTime();
  if (Math.abs(ms) < 1_000) return 'now';
  return ms > 0 ? `${formatShortDuration(ms)} ago` : `in ${formatShortDuration(-ms)}`;
}
