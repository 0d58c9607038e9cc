import { expect, test } from '@jest/globals';
import { TurnPace } from './turn-pace.js';

const paceOf = (msPerRun: number, cycles: number): number => {
  const pace = new TurnPace();
  for (let n = 0; n < cycles; n++) {
    const room = pace.room(10_000);
    pace.learn(room, room, 1 + room * msPerRun);
  }
  return pace.room(10_000);
};

test('a claim takes as many turns as fit into 12 milliseconds, however quick the database is', () => {
  expect(paceOf(0.1, 20)).toBeGreaterThanOrEqual(80);
  expect(paceOf(0.1, 20)).toBeLessThanOrEqual(138);
  expect(paceOf(0.01, 40)).toBeGreaterThanOrEqual(802);
  expect(paceOf(10, 20)).toBe(32);
  expect(paceOf(0.0001, 40)).toBe(2_000);
});

test('a claim that was not full changes nothing, and none takes more turns than it was asked for', () => {
  const pace = new TurnPace();
  const before = pace.room(10_000);
  pace.learn(before, before - 1, 1_000);
  expect(pace.room(10_000)).toBe(before);
  expect(pace.room(5)).toBe(5);
});
