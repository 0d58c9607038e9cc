import { expect, test } from '@jest/globals';
import type { Measure } from './measures/measure.js';
import { planTurns } from './plan-turns.js';
import { systems as all } from './systems/list-systems.js';

const measure = (name: string, more: Partial<Measure> = {}): Measure => ({
  name,
  figures: [],
  run: async () => ({}),
  ...more,
});
const systems = all.filter(({ name }) => ['duework', 'duework-pg', 'graphile'].includes(name));
const plan = (measures: readonly Measure[], more: { rounds?: number } = {}): string[] =>
  planTurns({ measures, systems, rounds: 1, isAsked: false, ...more }).map(
    ({ round, measure, system }) => `${round} ${measure.name} ${system.name}`,
  );

test('each measure visits every system before the next one does, and each round begins with another system', () => {
  expect(plan([measure('drain'), measure('idle', { maxRounds: 1 })], { rounds: 2 })).toEqual([
    '0 drain duework',
    '0 drain duework-pg',
    '0 drain graphile',
    '0 idle duework',
    '0 idle duework-pg',
    '0 idle graphile',
    '1 drain duework-pg',
    '1 drain graphile',
    '1 drain duework',
  ]);
});

test('a measure in which no system takes part has no turn', () => {
  expect(plan([measure('enqueue'), measure('idle', { takes: () => false })])).toEqual([
    '0 enqueue duework',
    '0 enqueue duework-pg',
    '0 enqueue graphile',
  ]);
});
