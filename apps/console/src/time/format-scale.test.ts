import { expect, test } from '@jest/globals';
import { formatScale } from './format-scale.js';

test.each([
  [
    [0, 200, 400],
    ['0', '200 ms', '400 ms'],
  ],
  [
    [0, 500, 1_000, 1_500],
    ['0', '0.5 s', '1 s', '1.5 s'],
  ],
  [
    [0, 10_000, 20_000],
    ['0', '10 s', '20 s'],
  ],
  [
    [0, 30_000, 60_000, 90_000],
    ['0', '30 s', '60 s', '90 s'],
  ],
  [
    [0, 120_000, 240_000],
    ['0', '2 m', '4 m'],
  ],
  [
    [0, 1_800_000, 3_600_000, 5_400_000],
    ['0', '30 m', '60 m', '90 m'],
  ],
  [[0], ['0']],
])('the marks %j are told apart', (marks, texts) => {
  expect(formatScale(marks)).toEqual(texts);
});
