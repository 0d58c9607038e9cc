import { expect, test } from '@jest/globals';
import { ARRANGE } from './arrange.js';
import type { UseHarness } from './harness.js';

/** Of a store that is `transactional`. */
export function transactionCases(use: UseHarness): void {
  test('completeIn completes the run with its result, once', async () => {
    const { store, queue, tx } = use();
    const { id, fence } = await ARRANGE.running(use());
    expect(await store.completeIn(tx, { id, fence, result: { children: 2 } })).toBe(true);
    expect(await store.completeIn(tx, { id, fence, result: null })).toBe(false);
    expect((await queue.getJob(id)).job).toMatchObject({ status: 'succeeded', result: { children: 2 } });
    expect(await store.isCompleted(id, fence)).toBe(true);
  });

  test('completeIn with another claim’s fence completes nothing', async () => {
    const { store, queue, tx } = use();
    const { id, fence } = await ARRANGE.running(use());
    expect(await store.completeIn(tx, { id, fence: fence + 1, result: null })).toBe(false);
    expect((await queue.getJob(id)).job.status).toBe('running');
  });
}
