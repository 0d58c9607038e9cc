import { expect, test } from '@jest/globals';
import { planParts } from './plan-parts.js';

const at = (text: string): number => Date.parse(`2026-01-${text}Z`);
const now = at('31T15:20:00');
const plan = (since: string, stepMs: number | null = null): readonly string[] =>
  planParts(at(since), now, stepMs).map(
    ({ table, fromMs, beforeMs }) =>
      `${table} ${new Date(fromMs).toISOString().slice(8, 16)}${beforeMs === null ? '' : ` to ${new Date(beforeMs).toISOString().slice(8, 16)}`}`,
  );

test('a span is read from as few lines as tell it exactly: minutes to the first hour, hours to the first day, then days', () => {
  expect(plan('31T14:20:00')).toEqual(['minutes 31T14:20 to 31T15:00', 'hours 31T15:00 to 01T00:00']);
  expect(plan('31T15:05:00')).toEqual(['minutes 31T15:05 to 31T16:00']);
  expect(plan('30T15:20:00')).toEqual(['minutes 30T15:20 to 30T16:00', 'hours 30T16:00 to 31T00:00', 'days 31T00:00']);
  expect(plan('02T15:20:00')).toEqual(['hours 02T16:00 to 03T00:00', 'days 03T00:00']);
  expect(plan('02T00:00:00')).toEqual(['days 02T00:00']);
});

test('steps of days are read from days, shorter ones from what they are made of', () => {
  expect(plan('02T15:20:00', 86_400_000)).toEqual(['hours 02T16:00 to 03T00:00', 'days 03T00:00']);
  expect(plan('30T15:20:00', 900_000)).toEqual(['minutes 30T15:20']);
  expect(plan('30T15:20:00', 21_600_000)).toEqual(['hours 30T15:20']);
});
