import { expect, test } from '@jest/globals';
import type { Figures } from '../../api/now-queries.js';
import { makeSeries } from './make-series.js';

const NO_TIMES = { count: 0, meanMs: null, p50Ms: null, p95Ms: null };
const line = (minute: number, more: Partial<Figures>): Figures => ({
  at: new Date(minute * 60_000).toISOString(),
  queue: '',
  type: '',
  claimed: 0,
  succeeded: 0,
  failed: 0,
  dead: 0,
  cancelled: 0,
  snoozed: 0,
  wait: NO_TIMES,
  run: NO_TIMES,
  due: null,
  running: null,
  held: null,
  oldestWaitingSeconds: null,
  ...more,
});
const make = (...lines: readonly Figures[]) =>
  makeSeries(lines, { stepMs: 60_000, steps: 4, now: 10.5 * 60_000, isWithNow: true });

test('the steps end with the one of now, and what happened is at its own', () => {
  const { at, succeeded } = make(line(8, { succeeded: 3 }), line(10, { succeeded: 1 }));
  expect(at).toEqual([420, 480, 540, 600]);
  expect(succeeded).toEqual([0, 3, 0, 1]);
});

test('a step that workers may still write of is left out, so that no line falls at its end', () => {
  const end = (now: number) => makeSeries([], { stepMs: 60_000, steps: 1, now: now * 60_000 }).at[0]! / 60;
  expect(end(10.5)).toBe(9);
  expect(end(10.0)).toBe(8);
  expect(end(10.2)).toBe(8);
});

test('nothing due is zero where somebody looked, and unknown where nobody did', () => {
  const { due, oldestMs } = make(line(7, {}), line(9, { due: 4, oldestWaitingSeconds: 2 }));
  expect(due).toEqual([0, null, 4, null]);
  expect(oldestMs).toEqual([0, null, 2_000, null]);
});

test('a time is unknown where nothing was timed, and a line before the range is left out', () => {
  const { waitP95 } = make(line(1, {}), line(8, { wait: { count: 2, meanMs: 5, p50Ms: 4, p95Ms: 9 } }));
  expect(waitP95).toEqual([null, 9, null, null]);
});
