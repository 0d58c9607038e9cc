import { expect, test } from '@jest/globals';
import { createFakeClock } from '@duework/testing';
import { ExpiredLeases } from './expired-leases.js';

const GRACE_MS = 2_000;

interface Check {
  readonly askedMs: number;
  /** What the store's clock shows. */
  readonly nowMs: number;
  readonly hasExpired?: boolean;
  readonly answeredMs?: number;
  readonly graceMs?: number;
}

/** Before which moment a lease has to be over to be taken, after each of these checks; null: none is taken. */
async function check(...checks: readonly Check[]): Promise<(number | null)[]> {
  const clock = createFakeClock();
  const expired = new ExpiredLeases(clock);
  const taken: (number | null)[] = [];
  for (const { askedMs, nowMs, hasExpired = true, answeredMs = askedMs, graceMs = GRACE_MS } of checks) {
    await clock.advance(answeredMs - clock.monotonicMs());
    taken.push(expired.observe({ hasExpired, nowMs }, askedMs, graceMs));
  }
  return taken;
}

test('leases that a step of the clock has ended are not taken from workers that renew them', async () => {
  const hourMs = 3_600_000;
  expect(
    await check(
      { askedMs: 0, nowMs: 0, hasExpired: false },
      { askedMs: 2_000, nowMs: hourMs + 2_000 },
      { askedMs: 4_100, nowMs: hourMs + 4_100, hasExpired: false },
      // another step, right after it
      { askedMs: 6_000, nowMs: 2 * hourMs + 6_000 },
      { askedMs: 7_999, nowMs: 2 * hourMs + 7_999 },
    ),
  ).toEqual([null, null, null, null, null]);
});

test('what is over for the whole grace is taken, and what has ended since is not yet', async () => {
  expect(
    await check(
      { askedMs: 0, nowMs: 10_000 },
      { askedMs: 1_000, nowMs: 11_000 },
      { askedMs: 2_000, nowMs: 12_000 },
      { askedMs: 4_500, nowMs: 14_500 },
    ),
  ).toEqual([null, null, 10_000, 12_000]);
});

test('the grace begins with an answer and ends before a question, so that a slow check takes nothing sooner', async () => {
  expect(
    await check(
      { askedMs: 0, nowMs: 0, answeredMs: 1_500 },
      { askedMs: 2_000, nowMs: 2_000, answeredMs: 4_000 },
      { askedMs: 4_100, nowMs: 4_100 },
    ),
  ).toEqual([null, null, 0]);
});

test('what was seen before the clock went back counts no more', async () => {
  expect(
    await check({ askedMs: 0, nowMs: 50_000 }, { askedMs: 2_000, nowMs: 1_000 }, { askedMs: 4_000, nowMs: 3_000 }),
  ).toEqual([null, null, 1_000]);
});

test('a process that has slept takes only what was over before it slept', async () => {
  expect(await check({ askedMs: 0, nowMs: 10_000 }, { askedMs: 600_000, nowMs: 610_000 })).toEqual([null, 10_000]);
});

test('what was found in an outage has the longer grace that began with it, however often checks fail meanwhile', async () => {
  const graceMs = 10_000;
  expect(
    await check(
      { askedMs: 0, nowMs: 0, graceMs },
      { askedMs: 9_999, nowMs: 9_999, graceMs },
      { askedMs: 10_000, nowMs: 10_000, graceMs },
    ),
  ).toEqual([null, null, 0]);
});
