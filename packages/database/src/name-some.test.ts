import { expect, test } from '@jest/globals';
import { nameSome } from './name-some.js';

test.each([
  [['a'], 'a'],
  [['a', 'b', 'c', 'd'], 'a, b, c, d'],
  [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more'],
])('of %j a sentence tells: %s', (names, told) => {
  expect(nameSome(names)).toBe(told);
});
