import { createFakeClock } from '@duework/testing';
import { expect, test } from '@jest/globals';
import { BatchWatch } from './batch-watch.js';

const quiet = { succeeded: () => {}, failed: () => {} };

test('what another is at is asked for again, less and less often, and what was noted meanwhile with it', async () => {
  const clock = createFakeClock();
  const asked: [at: number, ids: readonly string[] | null][] = [];
  const addUpBatches = async (ids: readonly string[] | null) => {
    asked.push([clock.monotonicMs(), ids]);
    return asked.length < 8 ? ['a'] : [];
  };
  const watch = new BatchWatch({ addUpBatches }, clock, quiet);
  watch.note('a');
  await clock.advance(0);
  watch.note('b');
  await clock.advance(10_000);
  await watch.idle();
  expect(asked.map(([at]) => at)).toEqual([0, 20, 60, 140, 300, 620, 1_260, 2_260]);
  expect(asked.slice(0, 3).map(([, ids]) => ids?.toSorted())).toEqual([['a'], ['a', 'b'], ['a']]);
});

test('a batch that is noted as the last one is done, or after the database was away, is asked for', async () => {
  const asked: (readonly string[] | null)[] = [];
  const watch: BatchWatch = new BatchWatch(
    {
      addUpBatches: async (ids) => {
        asked.push(ids);
        if (asked.length === 1) throw new Error('away');
        return [];
      },
    },
    createFakeClock(),
    quiet,
  );
  watch.note('a');
  await watch.idle();
  watch.note('b');
  await watch.idle();
  watch.note('c');
  await watch.idle();
  expect(asked).toEqual([['a'], ['b'], ['c']]);
});
