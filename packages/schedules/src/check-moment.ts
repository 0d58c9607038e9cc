import { DueworkError } from '@duework/queue-core';
import { isMoment } from '@duework/sql';

/** Throws `invalid_option` for anything but a moment between the years 1970 and 9999; undefined is allowed. */
export function checkMoment(option: string, date: Date | undefined): void {
  if (date === undefined || isMoment(date)) return;
  throw new DueworkError('invalid_option', {
    option,
    expected: 'a moment between the years 1970 and 9999',
    value: date,
  });
}
