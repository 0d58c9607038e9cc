import { beforeEach, describe, expect, test } from '@jest/globals';
import { numbersOf, type UseHarness } from '../harness.js';
import { flowCatalog, letter, patient, reminder } from './flow-contracts.js';
import { flowHarness } from './flow-harness.js';
import { limitCases } from './limit-cases.js';
import { orderCases } from './order-cases.js';
import { rateCases } from './rate-cases.js';
import { slotCases } from './slot-cases.js';

/** Limits, rates, orders, tenants and breakers: who may run. */
export function flowCases(use: UseHarness): void {
  if (!use.can.flow) return refusedCases(use);
  beforeEach(async () => {
    await use().store.prepare(flowCatalog);
  });
  describe('limits', () => {
    limitCases(use);
  });
  describe('orders', () => {
    orderCases(use);
  });
  describe('rates and breakers', () => {
    rateCases(use);
  });
  describe('slots', () => {
    slotCases(use);
  });
  if (use.can.priorities) maxWaitCases(use);
}

function refusedCases(use: UseHarness): void {
  const refused = { code: 'not_supported', facts: { asked: 'flow control', capability: 'flow' } };

  test('where they are missing, the store refuses runs that have to wait at gates', async () => {
    await expect(use().queue.enqueue(letter, { n: 1, of: 1 })).rejects.toMatchObject(refused);
    expect(await use().queue.queueDepth()).toEqual([]);
  });

  test('where they are missing, the store refuses a worker whose contracts have flow rules', async () => {
    await expect(use().store.prepare(flowCatalog)).rejects.toMatchObject(refused);
  });
}

function maxWaitCases(use: UseHarness): void {
  const { add, take, complete } = flowHarness(use);

  test('a run that has waited in a line for longer than its contract allows is let in before more urgent ones', async () => {
    const look = async (): Promise<void> => {
      await use().store.raiseWaiting();
      expect(await take()).toEqual([]);
    };
    await add(letter, [1, 2], {}, { priority: 1 });
    const [first, second] = await take();
    await add(reminder, [3], {}, { priority: 9 });
    await add(letter, [4, 5], {}, { priority: 1 });
    await look();
    await use().passTime(59_000);
    await look();
    await complete(first!);
    const [fourth] = await take();
    expect(numbersOf([fourth!])).toEqual([4]);
    await use().passTime(2_000);
    await look();
    await complete(second!);
    expect(await take()).toMatchObject([{ payload: { n: 3 }, priority: 0 }]);
  });

  test('a run that has waited for longer than its contract allows is taken before more urgent ones', async () => {
    const [late] = await add(patient, [1], {}, { priority: 9 });
    await add(letter, [2], {}, { priority: 9 });
    await use().passTime(59_000);
    expect(await use().store.raiseWaiting()).toBe(0);
    await use().passTime(2_000);
    expect(await use().store.raiseWaiting()).toBe(1);
    expect(await use().store.raiseWaiting()).toBe(0);
    await add(patient, [3], {}, { priority: 1 });
    expect(await take(1)).toMatchObject([{ id: late, priority: 0 }]);
  });
}
