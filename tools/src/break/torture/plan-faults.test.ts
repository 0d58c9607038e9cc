import { expect, test } from '@jest/globals';
import { faults } from './faults/index.js';
import { planFaults, type Turn } from './plan-faults.js';

const plan = (seed: number): Turn[] => planFaults({ seed, faults, count: 200, isPaired: true });
const SEEDS = Array.from({ length: 20 }, (_, index) => index * 7_919);

test('the same seed makes the same plan, and another seed makes another plan', () => {
  expect(plan(42)).toEqual(plan(42));
  expect(plan(42)).not.toEqual(plan(43));
});

test('each deck of faults has every fault once as the first of a turn', () => {
  for (const seed of SEEDS) {
    const deck = plan(seed).slice(faults.length, 2 * faults.length);
    expect(new Set(deck.map((turn) => turn.faults[0]?.name)).size).toBe(faults.length);
  }
});

test('in each deck the loud faults come before the quiet ones, and those that need calm come last', () => {
  for (const seed of SEEDS) {
    const deck = plan(seed).slice(0, faults.length);
    const isLoud = deck.map((turn) => turn.faults.some((fault) => fault.isLoud === true));
    expect(isLoud.lastIndexOf(true)).toBeLessThan(isLoud.indexOf(false));
    expect(deck.at(-1)?.faults.map(({ needsCalm }) => needsCalm)).toEqual([true]);
  }
});

test('two faults sometimes come at once, and a solitary fault always comes alone', () => {
  const pairs = SEEDS.flatMap(plan).filter((turn) => turn.faults.length > 1);
  expect(pairs.length).toBeGreaterThan(0);
  expect(pairs.filter((turn) => turn.faults.some((fault) => fault.isSolitary === true))).toEqual([]);
});
