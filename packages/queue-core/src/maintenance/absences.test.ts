import { expect, test } from '@jest/globals';
import { createFakeClock } from '@duework/testing';
import { Absences } from './absences.js';

/** Looks at these moments, whose answers name these workers; what was made of each. */
async function look(
  ...looks: readonly (readonly [askedMs: number, missing: readonly string[] | 'failed', answeredMs?: number])[]
): Promise<string[][]> {
  const clock = createFakeClock();
  const absences = new Absences(clock);
  const dead: string[][] = [];
  for (const [askedMs, missing, answeredMs = askedMs] of looks) {
    await clock.advance(answeredMs - clock.monotonicMs());
    if (missing === 'failed') absences.forget();
    else dead.push(absences.observe(missing, askedMs));
  }
  return dead;
}

test('a worker that is missing at every check for the whole grace has vanished, and stays so while it is missing', async () => {
  expect(await look([0, ['ada']], [1_000, ['ada']], [1_999, ['ada']], [2_000, ['ada']], [3_000, ['ada']])).toEqual([
    [],
    [],
    [],
    ['ada'],
    ['ada'],
  ]);
});

test('a worker that comes back within the grace is not judged, however often it goes', async () => {
  expect(
    await look([0, ['ada']], [1_000, ['ada']], [1_900, []], [2_000, ['ada']], [3_000, ['ada']], [3_900, []]),
  ).toEqual([[], [], [], [], [], []]);
});

test('each missing worker has a grace of its own', async () => {
  expect(await look([0, ['ada']], [1_000, ['ada', 'bob']], [2_000, ['ada', 'bob']], [3_000, ['bob']])).toEqual([
    [],
    [],
    ['ada'],
    ['bob'],
  ]);
});

test('after a look that failed the grace is longer for a while: not everybody finds a database again at the same time', async () => {
  const everySecond = (from: number, to: number): [number, string[]][] =>
    Array.from({ length: (to - from) / 1_000 + 1 }, (_, index) => [from + index * 1_000, ['ada']]);
  const dead = await look([0, ['ada']], [1_000, 'failed'], ...everySecond(2_000, 12_000));
  expect(dead.flat()).toEqual(['ada']);
  expect(dead.at(-1)).toEqual(['ada']);
  const later = await look([1_000, 'failed'], [30_999, []], [31_999, ['ada']], [32_999, ['ada']], [33_999, ['ada']]);
  expect(later.at(-1)).toEqual(['ada']);
});

test('after a gap between checks no worker counts as vanished before a whole grace is over: perhaps all were stalled', async () => {
  expect(await look([0, ['ada']], [1_000, ['ada']], [3_501, ['ada']], [4_501, ['ada']], [5_501, ['ada']])).toEqual([
    [],
    [],
    [],
    [],
    ['ada'],
  ]);
});

test('an absence counts from its first answer to its last question, so that a slow check makes no worker vanish sooner', async () => {
  expect(await look([0, ['ada'], 900], [1_900, ['ada'], 2_400], [2_899, ['ada'], 3_500], [3_600, ['ada']])).toEqual([
    [],
    [],
    [],
    ['ada'],
  ]);
  // the time in which a check hung does not count
  expect(await look([0, ['ada']], [1_000, ['ada'], 4_000], [4_100, ['ada']])).toEqual([[], [], []]);
});

test('checks follow each other quickly only while a worker is missing', async () => {
  const absences = new Absences(createFakeClock());
  expect(absences.isEmpty).toBe(true);
  absences.observe(['ada'], 0);
  expect(absences.isEmpty).toBe(false);
  absences.observe([], 0);
  expect(absences.isEmpty).toBe(true);
});
