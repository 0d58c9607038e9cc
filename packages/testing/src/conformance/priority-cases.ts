import { expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import { echo } from '../fixtures/test-contracts.js';
import { claim, numbersOf, type UseHarness } from './harness.js';

/** Of a store that has `priorities`. */
export function priorityCases(use: UseHarness): void {
  test('the most urgent priority comes first, the oldest first within it, and the first of the same moment', async () => {
    const at = (ms: number): { runAt: Date } => ({ runAt: new Date(Date.UTC(2020, 0, 1) + ms) });
    await use().queue.enqueueMany([
      jobRequest(echo, { n: 6 }, { ...at(2), priority: 9 }),
      jobRequest(echo, { n: 4 }, { ...at(9), priority: 5 }),
      jobRequest(echo, { n: 5 }, { ...at(9), priority: 5 }),
      jobRequest(echo, { n: 3 }, { ...at(8), priority: 5 }),
      jobRequest(echo, { n: 1 }, { ...at(7), priority: 0 }),
      jobRequest(echo, { n: 99 }, { delay: '1h', priority: 0 }),
      jobRequest(echo, { n: 2 }, { ...at(6), priority: 1 }),
    ]);
    expect(numbersOf(await claim(use(), 2))).toEqual([1, 2]);
    expect(numbersOf(await claim(use(), 10))).toEqual([3, 4, 5, 6]);
    expect(await claim(use(), 10)).toEqual([]);
  });
}
