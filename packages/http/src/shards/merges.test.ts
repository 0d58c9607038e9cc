import { expect, test } from '@jest/globals';
import { actionOfAll, mergeCounts } from './merges.js';

test('a count is told as people write it', () => {
  expect(
    mergeCounts([
      { shard: 'a', answer: { count: 10_000, atLeast: true } },
      { shard: 'b', answer: { count: 5, atLeast: false } },
    ]),
  ).toEqual({ count: 10_005, atLeast: true, text: '10,005+' });
});

test('an action of several shards says the part of each', () => {
  const part = (shard: string, done: number) => ({
    shard,
    answer: {
      id: `${shard}.${done}`,
      filter: 'status:dead',
      status: 'finished' as const,
      done,
      undoOf: null,
      total: { count: 5, isAtLeast: false },
      refused: {},
      createdAt: '2026-01-01',
      finishedAt: '2026-02-02',
      undoUntil: '2026-03-01',
    },
  });
  expect(actionOfAll([part('a', 1), part('b', 2)])).toMatchObject({
    id: 'a.1~b.2',
    done: 3,
    shards: [
      { shard: 'a', id: 'a.1', status: 'finished', filter: 'status:dead', done: 1 },
      { shard: 'b', id: 'b.2', done: 2, total: { count: 5, isAtLeast: false } },
    ],
  });
});
