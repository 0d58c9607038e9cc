import { expect, test } from '@jest/globals';
import { listWords, toPattern } from './failure-pattern.js';

test.each([
  ['connect ECONNREFUSED 10.0.0.7:5432', 'connect ECONNREFUSED …'],
  ['Invoice 812 of ana@example.org is locked', 'Invoice … of … is locked'],
  ['no order 7f0c8c1e-6f57-4f0e-9d0e-0d3f6a1b2c3d', 'no order …'],
  ['key inv_812 was taken at 2026-11-23T14:02:07Z', 'key … was taken at …'],
  ['550 No such mailbox here\n    at send (smtp.js:12)', '… No such mailbox here'],
])('%j is one of %j', (text, pattern) => expect(toPattern(text)).toBe(pattern));

test('a long error that is cut in the middle of an id is one of the same, wherever it is cut', () => {
  const cut = (id: string): string =>
    `${'Nobody knows whether this mail was sent. '.repeat(4)}Look for ${id}`.slice(0, 200);
  const [one, other] = ['<receipt-R-2026-1702@duework.local>', '<receipt-2026-11-23T17%3A30%3A02@duework.local>'].map(
    cut,
  );
  expect(toPattern(one!)).toMatch(/ Look for …$/);
  expect(toPattern(other!)).toBe(toPattern(one!));
});

test('what a filter looks for are whole words that every error of a pattern has', () => {
  expect(listWords('Invoice … of … is locked: "x"', false)).toEqual(['Invoice', 'of', 'is locked: "x']);
  expect(listWords('the provider said that it is unavail', true)).toEqual(['the provider said that it is']);
  expect(listWords('…', false)).toEqual([]);
});
