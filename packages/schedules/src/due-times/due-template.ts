import { DueworkError } from '@duework/queue-core';
import { toPointer } from '@duework/contracts';
import { ZoneCalendar } from '../rules/zone-calendar.js';

/**
 * A place in a payload that the due time fills in when the run is made. It is plain JSON, so that it can be stored and
 * sent; it has no expressions and needs no escapes.
 */
export type DueTemplate =
  /**
   * The local date of the due time in the schedule's zone, `2026-01-14`; `addDays` (-366 to 366) moves it by calendar
   * days.
   */
  | { readonly $due: 'date'; readonly addDays?: number }
  /** The instant in UTC, `2026-01-14T01:00:00.000Z`. */
  | { readonly $due: 'iso' };

/** A payload, or one with templates in place of strings. */
export type Templated<T> = T extends string
  ? T | DueTemplate
  : T extends readonly (infer TItem)[]
    ? readonly Templated<TItem>[]
    : T extends object
      ? { readonly [K in keyof T]: Templated<T[K]> }
      : T;

/** Templates for code: `{ day: due.date({ addDays: -1 }) }`. */
export const due = {
  date: ({ addDays = 0 }: { addDays?: number } = {}): DueTemplate =>
    addDays === 0 ? { $due: 'date' } : { $due: 'date', addDays },
  iso: (): DueTemplate => ({ $due: 'iso' }),
} as const;

const MAX_DAYS = 366;
const MAX_DEPTH = 100;

/** Whether a payload differs from due time to due time. */
export function hasTemplate(payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null) return false;
  return '$due' in payload || Object.values(payload).some(hasTemplate);
}

/** The payload of one due time. Throws `invalid_template` for a `$due` of an unknown form. */
export function renderPayload(type: string, payload: unknown, dueMs: number, timeZone: string): unknown {
  const render = (value: unknown, path: readonly PropertyKey[]): unknown => {
    if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return value;
    if (Array.isArray(value)) return value.map((item, index) => render(item, [...path, index]));
    if ('$due' in value) return renderDueTime(type, value as Record<string, unknown>, path, dueMs, timeZone);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, render(item, [...path, key])]));
  };
  return render(payload, []);
}

function renderDueTime(
  type: string,
  template: Record<string, unknown>,
  path: readonly PropertyKey[],
  dueMs: number,
  timeZone: string,
): string {
  const { $due: form, addDays = 0, ...rest } = template;
  const refuse = (reason: string): DueworkError =>
    new DueworkError('invalid_template', { type, pointer: toPointer(path), reason });
  if (Object.keys(rest).length > 0) throw refuse(`it does not know ${Object.keys(rest).join(', ')}`);
  if (form === 'iso' && !('addDays' in template)) return new Date(dueMs).toISOString();
  if (form !== 'date') throw refuse('$due is "date" (with addDays, if need be) or "iso"');
  if (!Number.isInteger(addDays) || Math.abs(addDays as number) > MAX_DAYS)
    throw refuse(`addDays is a whole number from -${MAX_DAYS} to ${MAX_DAYS}`);
  return new Date(ZoneCalendar.of(timeZone).toLocal(dueMs) + (addDays as number) * 86_400_000)
    .toISOString()
    .slice(0, 10);
}
