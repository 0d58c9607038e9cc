import { expect, test } from '@jest/globals';
import { chooseListener } from './listener-group.js';

const roles = (count: number, number: number, runs = 1): (string | null)[] =>
  Array.from({ length: count }, (_, rank) =>
    chooseListener({ count, rank }, { number, runs, isLater: false, passes: 0 }),
  );

test('one is chosen for each run, and the one behind them looks later', () => {
  for (let number = 0; number < 100; number++) {
    expect(
      roles(5, number)
        .filter((role) => role !== null)
        .sort(),
    ).toEqual(['chosen', 'spare']);
    expect(
      roles(5, number, 3)
        .filter((role) => role !== null)
        .sort(),
    ).toEqual(['chosen', 'chosen', 'chosen', 'spare']);
    expect(roles(2, number, 9)).toEqual(['chosen', 'chosen']);
    expect(roles(1, number)).toEqual(['chosen']);
  }
});

test('all are chosen about as often, whatever the steps in which numbers come', () => {
  for (const count of [2, 3, 48, 50])
    for (const step of [1, 2, 3, 7, 48]) {
      const often = Array<number>(count).fill(0);
      for (let n = 0; n < 100 * count; n++) often[roles(count, 1e9 + n * step).indexOf('chosen')]!++;
      expect(Math.min(...often)).toBeGreaterThan(70);
      expect(Math.max(...often)).toBeLessThan(130);
    }
});

test('who does not know the others is chosen', () => {
  expect(chooseListener(null, { number: 7, runs: 1, isLater: false, passes: 0 })).toBe('chosen');
});
