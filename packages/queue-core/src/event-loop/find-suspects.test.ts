import { expect, test } from '@jest/globals';
import type { ClaimedRun } from '../ports/runs.js';
import { findSuspects } from './find-suspects.js';

const run = (id: string): ClaimedRun => ({ id }) as ClaimedRun;
const [a, b, c] = [run('a'), run('b'), run('c')];
const block = { fromMs: 1_000, toMs: 1_525, blockedMs: 500, isComputing: true };

test('a measured segment of half of the block names its run for certain, whatever else was running', () => {
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

test('a run that was alone for most of a computation is named for certain, and one that came at its end is not suspect', () => {
  const handlers = [
    { run: a, startedMs: 0, endedMs: 1_524 },
    { run: b, startedMs: 1_524, endedMs: 1_525 },
  ];
  expect(findSuspects(block, handlers, [])).toEqual({ suspects: [{ run: a }], isCertain: true });
});

test('no run is named for certain while the process was not computing: the machine may have had no time for it', () => {
  expect(findSuspects({ ...block, isComputing: false }, [{ run: a, startedMs: 0, endedMs: 1_525 }], [])).toEqual({
    suspects: [{ run: a }],
    isCertain: false,
  });
});

test('several runs that were running for most of the block are all suspect, and so are several that shared it', () => {
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

test('a block without running handlers has no suspects', () => {
  expect(findSuspects(block, [], [])).toEqual({ suspects: [], isCertain: false });
});
