import { expect, test } from '@jest/globals';
import { compareCosts } from './compare-costs.js';
import { FIGURE_NAMES, type FigureName, type Figures } from './figures.js';

const figures = (different: Partial<Record<FigureName, number>> = {}): Figures => ({
  ...(Object.fromEntries(FIGURE_NAMES.map((name) => [name, 10])) as Record<FigureName, number>),
  ...different,
});

test('names each figure that has grown or fallen, with what it was and what it is', () => {
  const before = { enqueue: figures(), claim: figures() };
  const now = { enqueue: figures({ roundTrips: 10.03, buffers: 9 }), claim: figures() };
  expect(compareCosts(before, now)).toEqual({
    grown: ['enqueue: round trips, was 10, is 10.03'],
    fallen: ['enqueue: buffers touched, was 10, is 9'],
    unknown: [],
  });
});

test('a figure that the file does not have counts as grown', () => {
  const { walBytes: _walBytes, ...older } = figures();
  expect(compareCosts({ enqueue: older as Figures }, { enqueue: figures() }).grown).toEqual([
    'enqueue: bytes of the write-ahead log, was undefined, is 10',
  ]);
});

test('a case that only one side has is not passed over', () => {
  expect(compareCosts({ claim: figures() }, { enqueue: figures() })).toEqual({
    grown: [],
    fallen: [],
    unknown: ['enqueue: not in the file', 'claim: not measured any more'],
  });
});
