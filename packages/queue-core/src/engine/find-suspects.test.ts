import { expect, test } from '@jest/globals';
import type { ClaimedRun } from '../ports/runs.js';
import { findSuspects } from './find-suspects.js';

const run = (id: string): ClaimedRun => ({ id }) as ClaimedRun;
const [a, b, c] = [run('a'), run('b'), run('c')];
const block = { fromMs: 1_000, toMs: 1_525, blockedMs: 500, isComputing: true };

test('a measured segment of half of the block decides, whoever else was running', () => {
  expect(
    findSuspects(
      block,
      [{ run: b, startedMs: 0, endedMs: 1_525 }],
      [
        { run: c, ms: 30 },
        { run: a, ms: 490 },
      ],
    ),
  ).toEqual({ suspects: [{ run: a }], isCertain: true });
});

test('one that was running alone for most of a computation did it; who came at its end did not', () => {
  const handlers = [
    { run: a, startedMs: 0, endedMs: 1_524 },
    { run: b, startedMs: 1_524, endedMs: 1_525 },
  ];
  expect(findSuspects(block, handlers, [])).toEqual({ suspects: [{ run: a }], isCertain: true });
});

test('nobody is accused for certain while the process was not computing: the machine may have had no time for it', () => {
  expect(findSuspects({ ...block, isComputing: false }, [{ run: a, startedMs: 0, endedMs: 1_525 }], [])).toEqual({
    suspects: [{ run: a }],
    isCertain: false,
  });
});

test('several that were running are all suspect, and so are those that shared in it', () => {
  expect(
    findSuspects(
      block,
      [
        { run: a, startedMs: 0, endedMs: 1_525 },
        { run: b, startedMs: 900, endedMs: 1_500 },
      ],
      [],
    ),
  ).toEqual({ suspects: [{ run: a }, { run: b }], isCertain: false });
  expect(
    findSuspects(
      block,
      [
        { run: a, startedMs: 1_000, endedMs: 1_200 },
        { run: b, startedMs: 1_200, endedMs: 1_440 },
      ],
      [],
    ),
  ).toEqual({ suspects: [{ run: b }, { run: a }], isCertain: false });
});

test('without handlers there is nobody to suspect', () => {
  expect(findSuspects(block, [], [])).toEqual({ suspects: [], isCertain: false });
});
