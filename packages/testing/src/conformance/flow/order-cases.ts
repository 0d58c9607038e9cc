import { expect, test } from '@jest/globals';
import { numbersOf, type UseHarness } from '../harness.js';
import { block, book, narrow, skip } from './flow-contracts.js';
import { flowHarness } from './flow-harness.js';

export function orderCases(use: UseHarness): void {
  const { add, take, complete, fail, bury, snooze } = flowHarness(use);

  test('the runs of a key run one at a time, as they were enqueued', async () => {
    await add(book, [1, 2, 3], { of: 1 });
    await add(book, [4, 5], { of: 2 });
    const done: number[] = [];
    for (let runs = await take(); runs.length > 0; runs = await take()) {
      expect(new Set(runs.map(({ gates }) => gates![0])).size).toBe(runs.length);
      done.push(...numbersOf(runs));
      for (const run of runs) await complete(run);
    }
    expect(done).toEqual([1, 4, 2, 5, 3]);
  });

  if (use.can.priorities)
    test('no priority brings a run before another one of its key', async () => {
      await add(book, [1], {}, { priority: 9 });
      await add(book, [2], {}, { priority: 0 });
      expect(numbersOf(await take())).toEqual([1]);
      expect(await take()).toEqual([]);
    });

  test.each([
    ['fails', fail],
    ['snoozes', snooze],
  ])('behind a run that %s the others of its key wait until it has ended', async (_, giveBack) => {
    await add(book, [1, 2]);
    const [first] = await take();
    await giveBack(first!, 60_000);
    expect(await take()).toEqual([]);
    await use().passTime(60_000);
    const [again] = await take();
    expect(numbersOf([again!])).toEqual([1]);
    await complete(again!);
    expect(numbersOf(await take())).toEqual([2]);
  });

  test('a run that keeps its order while it waits for its retry keeps no limit', async () => {
    await add(narrow, [1, 2], { of: 1 });
    await add(narrow, [3], { of: 2 });
    const [first] = await take();
    await fail(first!);
    const [third] = await take();
    expect(numbersOf([third!])).toEqual([3]);
    await use().passTime(60_000);
    expect(await take()).toEqual([]);
    await complete(third!);
    expect(numbersOf(await take())).toEqual([1]);
  });

  test('where the contract steps over a failed run, the next of its key runs meanwhile, still one at a time', async () => {
    await add(skip, [1, 2, 3]);
    const [first] = await take();
    await fail(first!);
    const [second] = await take();
    expect(numbersOf([second!])).toEqual([2]);
    await use().passTime(60_000);
    expect(await take()).toEqual([]);
    await complete(second!);
    expect(numbersOf(await take())).toEqual([1]);
  });

  test('a dead run lets its key go on', async () => {
    await add(book, [1, 2]);
    const [first] = await take();
    await bury(first!);
    expect(numbersOf(await take())).toEqual([2]);
  });

  test('where dead runs block, the others of the key wait until somebody acknowledges it', async () => {
    const [id] = await add(block, [1, 2], { of: 1 });
    await add(block, [3], { of: 2 });
    const [first, third] = await take();
    await bury(first!);
    await complete(third!);
    expect(await take()).toEqual([]);
    await use().queue.acknowledgeJob(id!);
    expect(numbersOf(await take())).toEqual([2]);
  });

  test('where dead runs block, one that is retried is the next', async () => {
    const [id] = await add(block, [1, 2]);
    const [first] = await take();
    await bury(first!);
    await use().queue.retryJob(id!);
    const [again] = await take();
    expect(again).toMatchObject({ id, attempt: 1 });
    expect(await take()).toEqual([]);
    await complete(again!);
    expect(numbersOf(await take())).toEqual([2]);
  });
}
