import { expect, test } from '@jest/globals';
import { numbersOf, type UseHarness } from '../harness.js';
import { call, fragile, letter } from './flow-contracts.js';
import { flowHarness } from './flow-harness.js';

const UNCOUNTED = { maxSnoozes: 1_000 };

export function rateCases(use: UseHarness): void {
  const { add, take, complete, fail, snooze } = flowHarness(use);

  test('no more start than a rate lets, whatever has ended, and the next one when its time has come', async () => {
    await add(call, [1, 2, 3, 4, 5]);
    const runs = await take();
    expect(numbersOf(runs)).toEqual([1, 2]);
    for (const run of runs) await complete(run);
    expect(await take()).toEqual([]);
    await use().passTime(5_000);
    expect(await take()).toEqual([]);
    await use().passTime(5_000);
    expect(numbersOf(await take())).toEqual([3]);
    await use().passTime(60_000);
    // after a rest so many as may start at once
    expect(numbersOf(await take())).toEqual([4, 5]);
  });

  test('a handler that is told to come back later shuts its rate for all, uncharged, until that time', async () => {
    await add(call, [1, 2, 3]);
    const [first, second] = await take();
    await complete(second!);
    await snooze(first!, 30_000, { ...UNCOUNTED, shutMs: 30_000 });
    await use().passTime(29_000);
    expect(await take()).toEqual([]);
    await use().passTime(2_000);
    const again = await take();
    expect(numbersOf(again).sort()).toEqual([1, 3]);
    expect(again.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  test('without a rate it shuts its limits, which open little by little', async () => {
    await add(letter, [1, 2, 3, 4]);
    const [first, second] = await take();
    await complete(second!);
    await snooze(first!, 30_000, { ...UNCOUNTED, shutMs: 30_000 });
    // the third one was let in before
    const [third] = await take();
    await complete(third!);
    await use().passTime(29_000);
    expect(await take()).toEqual([]);
    await use().passTime(1_100);
    expect(await take()).toHaveLength(1);
    await use().passTime(3_000);
    expect(await take()).toHaveLength(1);
  });

  if (use.can.transactional)
    test('a breaker that tries opens by a run that its handler completes in its own transaction', async () => {
      await add(fragile, [1, 2, 3, 4]);
      for (const run of await take()) await fail(run);
      await use().passTime(60_000);
      const [tried, ...others] = await take();
      expect(others).toEqual([]);
      const { id, fence, gates } = tried!;
      expect(await use().store.completeIn(use().tx, { id, fence, gates, result: null })).toBe(true);
      expect(await take()).toHaveLength(3);
    });

  test('a breaker opens where too many attempts fail, tries one at a time, uncharged, and opens again by a success', async () => {
    const ids = await add(fragile, [1, 2, 3, 4, 5, 6, 7]);
    const [one, two, three, four] = await take(4);
    await complete(one!);
    await complete(two!);
    await fail(three!);
    await fail(four!);
    // what was let in before runs
    const before = await take();
    expect(numbersOf(before)).toEqual([5, 6, 7]);
    for (const run of before) await fail(run, 0);
    expect(await take()).toEqual([]);
    await use().passTime(30_000);
    const [tried, ...others] = await take();
    expect(others).toEqual([]);
    await fail(tried!, 0);
    expect(await take()).toEqual([]);
    const attempts = await Promise.all(ids.map(async (id) => (await use().queue.getJob(id)).job.attempts));
    expect(attempts).toEqual([1, 1, 1, 1, 0, 0, 0]);
    await use().passTime(30_000);
    const [again, ...more] = await take();
    expect(more).toEqual([]);
    await complete(again!);
    expect(await take()).toHaveLength(4);
  });
}
