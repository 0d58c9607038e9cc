import { expect, test } from '@jest/globals';
import { parseRetryAfter } from './parse-retry-after.js';

const now = new Date('2026-11-20T12:00:00Z');

test.each([
  ['120', 120_000],
  [' 7 ', 7_000],
  ['0', 1_000],
  ['999999999999', 86_400_000],
  ['Fri, 20 Nov 2026 12:10:00 GMT', 600_000],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 1_000],
  ['Fri, 20 Nov 2027 12:00:00 GMT', 86_400_000],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
  ['', null],
  [undefined, null],
])('Retry-After %p waits for %p ms', (value, expected) => {
  expect(parseRetryAfter(value, now)).toBe(expected);
});
