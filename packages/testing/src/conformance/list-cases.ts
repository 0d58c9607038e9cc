import { expect, test } from '@jest/globals';
import { jobRequest, STATUSES } from '@duework/queue-core';
import { charge, echo } from '../fixtures/test-contracts.js';
import { ARRANGE } from './arrange.js';
import { claim, settle, someError, type UseHarness } from './harness.js';

/** Of a store that has `lists`. */
export function listCases(use: UseHarness): void {
  test('a list walks through every job once, live or finished, newest first, while new ones arrive', async () => {
    const { queue, store } = use();
    const jobs = await queue.enqueueMany(Array.from({ length: 25 }, (_, n) => jobRequest(echo, { n })));
    const runs = await claim(use(), 10);
    await store.settle(runs.map(({ id, fence }) => ({ kind: 'complete', id, fence, result: null })));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await queue.findJobs({ limit: 7, cursor });
      seen.push(...page.jobs.map((job) => job.id));
      cursor = page.nextCursor ?? undefined;
      await queue.enqueue(echo, { n: 99 });
    } while (cursor !== undefined);
    expect(seen).toEqual(jobs.map((job) => job.id).reverse());
  });

  test('a list can be limited to one status, one type, one queue, or all three', async () => {
    await ARRANGE.dead(use());
    await ARRANGE.running(use());
    await use().queue.enqueueMany([jobRequest(echo, { n: 1 }), jobRequest(charge, { invoice: 1 })]);
    const count = async (filter: Parameters<ReturnType<UseHarness>['queue']['findJobs']>[0]): Promise<number> =>
      (await use().queue.findJobs(filter)).jobs.length;
    expect(await count({ status: 'dead' })).toBe(1);
    expect(await count({ status: 'queued' })).toBe(2);
    expect(await count({ type: 'echo' })).toBe(3);
    expect(await count({ status: 'queued', type: 'charge' })).toBe(1);
    expect(await count({ status: 'failed' })).toBe(0);
    expect(await count({ queue: 'default' })).toBe(4);
    expect(await count({ queue: 'default', status: 'dead', type: 'echo' })).toBe(1);
    for (const status of [undefined, ...STATUSES]) expect(await count({ queue: 'other', status })).toBe(0);
  });

  test.each(STATUSES)('a list of what is %s walks through each such run once', async (status) => {
    const expected: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { id, fence } = await ARRANGE[status === 'failed' ? 'running' : status](use());
      if (status === 'failed')
        await settle(use(), { id, fence }, { kind: 'fail', error: someError, delayMs: 60_000, abort: null });
      expected.push(id);
    }
    if (status !== 'queued')
      await use().queue.enqueueMany(Array.from({ length: 3 }, (_, n) => jobRequest(echo, { n })));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await use().queue.findJobs({ status, limit: 2, cursor });
      expect(page.jobs.length).toBeLessThanOrEqual(2);
      seen.push(...page.jobs.map((job) => job.id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    // the newest first, and of what runs the longest due
    expect(seen).toEqual(status === 'running' ? expected : expected.reverse());
  });

  test.each([
    { cursor: 'x' },
    { cursor: '' },
    { cursor: 'x', status: 'running' as const },
    { limit: 0 },
    { limit: 201 },
    { limit: 1.5 },
  ])('a list by %j is refused', async (listing) => {
    await expect(use().queue.findJobs(listing)).rejects.toMatchObject({
      code: expect.stringMatching(/^invalid_(cursor|option)$/),
    });
  });
}
