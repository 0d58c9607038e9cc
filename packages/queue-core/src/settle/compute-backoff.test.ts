import { delays, exponential, fixed, LONGEST_MS, quadratic, type RetryPolicy } from '@duework/contracts';
import { describe, expect, test } from '@jest/globals';
import { computeBackoff } from './compute-backoff.js';

const MINUTE = 60_000;

describe('backoff', () => {
  test.each<[string, RetryPolicy, number[]]>([
    ['fixed', fixed('10s'), [10_000, 10_000, 10_000]],
    ['exponential', exponential({ base: '10s' }), [10_000, 20_000, 40_000, 80_000]],
    ['exponential with a cap', exponential({ base: '10s', factor: 3, cap: '1m' }), [10_000, 30_000, MINUTE, MINUTE]],
    ['quadratic', quadratic({ unit: '10s' }), [10_000, 40_000, 90_000, 160_000]],
    [
      'an explicit list, whose last delay repeats',
      delays(['1m', '5m', '30m', '2h']),
      [MINUTE, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 120 * MINUTE],
    ],
  ])('%s: the n-th delay is the documented one', (_, policy, expected) => {
    expect(expected.map((_, index) => computeBackoff(policy, index + 1, 0.5))).toEqual(expected);
  });

  test('jitter is ±20 %, evenly spread', () => {
    const policy = fixed('100s');
    expect(computeBackoff(policy, 1, 0)).toBe(80_000);
    expect(computeBackoff(policy, 1, 0.999_999_99)).toBe(120_000);
    const spread = Array.from({ length: 1_000 }, () => computeBackoff(policy, 1, Math.random()));
    expect(new Set(spread).size).toBeGreaterThan(900);
  });

  test('a backoff is never 0, and never longer than ten years', () => {
    expect(computeBackoff(fixed('1ms'), 1, 0)).toBe(1);
    expect(computeBackoff(exponential({ base: '20d', factor: 100, cap: '3650d' }), 900, 0.999)).toBeLessThanOrEqual(
      LONGEST_MS,
    );
  });
});
