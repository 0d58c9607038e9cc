import { ALERT_SEVERITIES, type AlertMessage } from '@duework/queue-core';
import { type HoursOfDay, minutesLeft, readHoursOfDay } from '../settings/hours-of-day.js';

/** How a service wants to be told. `json`: as it is. */
export type AlertFormat = 'json' | 'slack' | 'teams' | 'discord' | 'pagerduty' | 'opsgenie';

/** Which alerts somebody wants, and when. */
export interface AlertWish {
  /** Each by what it is given; none: all. */
  readonly only: { readonly [K in 'severity' | 'alert' | 'type' | 'queue']?: readonly string[] };
  /** Within these only what is critical is told; the rest is, after them. */
  readonly quiet: HoursOfDay | null;
}

/** A web address with what is wanted of it, which its fragment says: `https://…#severity=critical&quiet=22:00-07:00@Europe/Berlin`. */
export interface AlertTarget extends AlertWish {
  /** Without the fragment. */
  readonly url: string;
  readonly format: AlertFormat;
}

const FORMATS: readonly [host: RegExp, AlertFormat][] = [
  [/^hooks\.slack\.com$/, 'slack'],
  [/\.(webhook\.office\.com|logic\.azure\.com|powerplatform\.com)$/, 'teams'],
  [/^discord(app)?\.com$/, 'discord'],
  [/^events(\.eu)?\.pagerduty\.com$/, 'pagerduty'],
  [/^api(\.eu)?\.opsgenie\.com$/, 'opsgenie'],
];
const ALL_FORMATS = ['json', ...FORMATS.map(([, format]) => format)] as const;
const SEVERITIES = ['critical', 'warning', 'info'] as const;
const LISTS = ['severity', 'alert', 'type', 'queue'] as const;

/** Throws an Error that says what is wrong with the fragment. */
export function readAlertTarget(text: string): AlertTarget {
  const url = new URL(text);
  const terms = new URLSearchParams(url.hash.slice(1));
  url.hash = '';
  const given = terms.get('format');
  terms.delete('format');
  if (given !== null && !ALL_FORMATS.some((format) => format === given))
    throw new Error(`format is one of ${ALL_FORMATS.join(', ')}`);
  const found = FORMATS.find(([host]) => host.test(url.hostname))?.[1] ?? 'json';
  return { url: url.toString(), format: (given as AlertFormat | null) ?? found, ...readWish(terms) };
}

/** Throws an Error that says what is wrong. */
export function readAlertWish(text: string): AlertWish {
  return readWish(new URLSearchParams(text));
}

function readWish(terms: URLSearchParams): AlertWish {
  const unknown = [...terms.keys()].find((name) => name !== 'quiet' && !LISTS.some((list) => list === name));
  if (unknown !== undefined) throw new Error('what is wanted is severity, alert, type, queue or quiet');
  const only = LISTS.flatMap((name) => (terms.has(name) ? [[name, terms.get(name)!.split(',')] as const] : []));
  for (const [name, values] of only) {
    const known: readonly string[] | null =
      name === 'severity' ? SEVERITIES : name === 'alert' ? Object.keys(ALERT_SEVERITIES) : null;
    const wrong = values.find((value) => known?.includes(value) === false);
    if (wrong !== undefined) throw new Error(`${name} is one of ${known!.join(', ')}`);
  }
  return { only: Object.fromEntries(only), quiet: readQuiet(terms.get('quiet')) };
}

function readQuiet(text: string | null): AlertWish['quiet'] {
  if (text === null) return null;
  const quiet = readHoursOfDay(text);
  if (quiet === null) throw new Error('quiet is two times and a time zone: 22:00-07:00@Europe/Berlin');
  return quiet;
}

/** Whether somebody wants to hear of an alert at all. */
export function isWanted({ only }: AlertWish, { name, severity, facts }: AlertMessage): boolean {
  const of = { severity, alert: name, type: facts['type'], queue: facts['queue'] };
  return LISTS.every((list) => only[list]?.includes(String(of[list])) ?? true);
}

/** Whether it has to wait until the morning. */
export function isQuiet({ quiet }: AlertWish, { severity }: AlertMessage, now: Date): boolean {
  if (quiet === null || severity === 'critical') return false;
  return minutesLeft(quiet, now) > 0;
}
