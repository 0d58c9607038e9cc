import { types } from 'node:util';

/** A Date between the years 1970 and 9999: the moments that a rule, its due times and a run can have. */
export function isMoment(date: unknown): date is Date {
  return types.isDate(date) && date.getTime() >= 0 && date.getTime() < Date.UTC(10_000, 0);
}
