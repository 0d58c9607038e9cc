import { expect, test } from '@jest/globals';
import type { Engine } from '../worker/engine.js';
import { createFakeClock } from '@duework/testing';
import { every } from './maintain.js';

test('workers that started together do not do their chores together: each waits ±20 % of the interval', async () => {
  const clock = createFakeClock();
  const stopping = new AbortController();
  const report = { succeeded: () => {}, failed: () => {} };
  const start = (random: number): number[] => {
    const actedMs: number[] = [];
    void every(
      10_000,
      'chore',
      stopping.signal,
      { clock, random: () => random, report } as unknown as Engine,
      async () => void actedMs.push(clock.monotonicMs()),
    );
    return actedMs;
  };
  const workers = [0, 0.5, 0.999_999].map(start);
  await clock.advance(13_000);
  stopping.abort();
  const waitsMs = workers.map(([first, second]) => Math.round(second! - first!));
  expect(waitsMs).toEqual([8_000, 10_000, 12_000]);
});
