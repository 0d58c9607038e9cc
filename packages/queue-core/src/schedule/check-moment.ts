import { DueworkError } from '../errors.js';

/** The moments that a rule and its slots can have. */
export function isMoment(ms: number): boolean {
  return ms >= 0 && ms < Date.UTC(10_000, 0);
}

/** Throws `invalid_option` for what is no moment between the years 1970 and 9999; undefined is none. */
export function checkMoment(option: string, date: Date | undefined): void {
  if (date === undefined || (date instanceof Date && isMoment(date.getTime()))) return;
  throw new DueworkError('invalid_option', { option, expected: 'a moment between the years 1970 and 9999', value: date });
}
