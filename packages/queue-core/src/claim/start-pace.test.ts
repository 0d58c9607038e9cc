import { expect, test } from '@jest/globals';
import { echo } from '@duework/testing/fixtures';
import type { ClaimedRun } from '../ports/runs.js';
import { OwnedRun } from './owned-run.js';
import { OwnedRuns } from './owned-runs.js';
import { StartPace } from './start-pace.js';

/** A claim that was sent at 0, and whose `count` runs have all started at `endMs`. */
function start(pace: StartPace, count: number, endMs: number): void {
  pace.claimed(count, 0, pace.startedCount);
  for (let n = 0; n < count; n++) pace.started(n === count - 1 ? endMs : 0);
}

test('as many runs are claimed ahead as have lately started in half a second, from when the claim was sent', () => {
  const pace = new StartPace();
  expect(pace.most).toBe(Infinity);
  start(pace, 400, 1_000);
  expect(pace.most).toBe(200);
  start(pace, 100, 50);
  expect(pace.most).toBe(1_000);
});

test('where the server takes seconds for a claim, claims do not get smaller and smaller', () => {
  const pace = new StartPace();
  start(pace, 500, 5_000);
  expect(pace.most).toBe(100);
  start(pace, 100, 5_000);
  expect(pace.most).toBe(100);
});

test('a few runs tell nothing', () => {
  const pace = new StartPace();
  start(pace, 49, 1_000);
  expect(pace.most).toBe(Infinity);
});

test('a worker that has what was claimed before still to start counts that, too', () => {
  const pace = new StartPace();
  pace.claimed(300, 0, 0);
  for (let n = 0; n < 200; n++) pace.started(10);
  pace.claimed(600, 10, 200);
  for (let n = 0; n < 100; n++) pace.started(100);
  expect(pace.most).toBe(1_500);
  // 100 started and 600 waiting
  pace.claimed(600, 50, 200);
  for (let n = 0; n < 600; n++) pace.started(400);
  expect(pace.most).toBe(1_000);
});

test('a claim whose runs were taken away tells nothing', () => {
  const pace = new StartPace();
  start(pace, 400, 1_000);
  pace.claimed(100, 0, pace.startedCount);
  pace.forget();
  for (let n = 0; n < 100; n++) pace.started(1);
  expect(pace.most).toBe(200);
});

test('a worker whose runs start slowly although its handlers take no time does not hoard', () => {
  const owned = new OwnedRuns(10, 2_000);
  owned.add(new OwnedRun({ id: '1', fence: 1 } as ClaimedRun, echo, 0));
  owned.remove(owned.startNext()!);
  owned.freeSlot(0);
  expect(owned.room()).toBe(2_010);
  start(owned.pace, 500, 1_000);
  expect(owned.room()).toBe(260);
});
