import { expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import { charge, echo } from '../fixtures/test-contracts.js';
import { ARRANGE } from './arrange.js';
import { claim, type UseHarness } from './harness.js';

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

  test('a list is of one status, of one type, or of both', async () => {
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
  });

  test.each([{ cursor: 'x' }, { cursor: '' }, { limit: 0 }, { limit: 201 }, { limit: 1.5 }])(
    'a list by %j is refused',
    async (listing) => {
      await expect(use().queue.findJobs(listing)).rejects.toMatchObject({
        code: expect.stringMatching(/^invalid_(cursor|option)$/),
      });
    },
  );
}
