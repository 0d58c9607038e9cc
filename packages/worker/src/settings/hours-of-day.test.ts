import { expect, test } from '@jest/globals';
import { minutesLeft, readHoursOfDay } from './hours-of-day.js';

const at = (time: string): Date => new Date(`2026-07-01T${time}:00Z`);

test.each([
  ['02:00-04:00', '01:59', 0],
  ['02:00-04:00', '02:00', 120],
  ['02:00-04:00', '03:59', 1],
  ['02:00-04:00', '04:00', 0],
  ['22:00-7:00', '23:30', 450],
  ['22:00-7:00', '06:30', 30],
  ['22:00-7:00', '12:00', 0],
  ['00:00-24:00', '23:59', 1],
  ['02:00-04:00@Europe/Berlin', '00:30', 90],
  ['02:00-04:00@Europe/Berlin', '02:30', 0],
])('%s at %s UTC has %i minutes left', (hours, time, minutes) => {
  expect(minutesLeft(readHoursOfDay(hours)!, at(time))).toBe(minutes);
});
