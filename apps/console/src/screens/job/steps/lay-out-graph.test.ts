import { expect, test } from '@jest/globals';
import type { GraphJob } from '../../../api/use-steps.js';
import { layOutGraph } from './lay-out-graph.js';

const job = (name: string, ...after: string[]): GraphJob => ({
  name,
  after,
  isEach: false,
  total: 0,
  succeeded: 0,
  failed: 0,
  isUndone: false,
  jobId: null,
});
const placesOf = (...jobs: GraphJob[]) =>
  Object.fromEntries(layOutGraph(jobs).placed.map(({ job: { name }, column, row }) => [name, [column, row]]));

test('a job is in the column behind the last of those before it, and none covers another', () => {
  expect(placesOf(job('a'), job('b', 'a'), job('c', 'a'), job('d', 'a', 'c'), job('e'))).toEqual({
    a: [0, 0],
    b: [1, 0],
    c: [1, 1],
    d: [2, 1],
    e: [0, 1],
  });
});

test('an arrow that others imply is not drawn', () => {
  const { edges, columns, rows } = layOutGraph([job('a'), job('b', 'a'), job('c', 'b'), job('d', 'a', 'b', 'c')]);
  expect(edges.map(({ from, to }) => `${from.job.name} ${to.job.name}`)).toEqual(['a b', 'b c', 'c d']);
  expect([columns, rows]).toEqual([4, 1]);
});

test('a graph of nothing has no place', () => {
  expect(layOutGraph([])).toEqual({ placed: [], edges: [], columns: 0, rows: 0 });
});
