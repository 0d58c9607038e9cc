import { expect, test } from '@jest/globals';
import { LEASE_MS, numbersOf, someError, type UseHarness } from '../harness.js';
import { bounded, fair, letter } from './flow-contracts.js';
import { flowHarness } from './flow-harness.js';

/** Who gets a slot, who keeps it, and who passes it on. */
export function slotCases(use: UseHarness): void {
  const { add, take, end, complete, fail } = flowHarness(use);

  test('tenants take turns, so that one with many runs delays another’s first by one turn', async () => {
    await add(
      fair,
      Array.from({ length: 50 }, (_, n) => n),
      { of: 1 },
    );
    await add(fair, [100, 101], { of: 2 });
    expect(numbersOf(await take(4)).sort((a, b) => a - b)).toEqual([0, 1, 100, 101]);
    await add(fair, [200], { of: 3 });
    expect(numbersOf(await take(2)).sort((a, b) => a - b)).toEqual([2, 200]);
    expect(await take(100)).toHaveLength(47);
    expect(await take(100)).toEqual([]);
  });

  test('a tenant whose turn has come waits at its limit, and is let in there', async () => {
    await add(bounded, [1], { of: 1 });
    await add(bounded, [2], { of: 2 });
    const [first, ...others] = await take();
    expect([numbersOf([first!]), others]).toEqual([[1], []]);
    await complete(first!);
    expect(numbersOf(await take())).toEqual([2]);
  });

  test('a tenant with many runs fills no line behind the turns: another’s first is one slot behind at a limit, too', async () => {
    const many = Array.from({ length: 20 }, (_, n) => n);
    await add(bounded, many, { of: 1 });
    const begun = [...(await take())];
    expect(await take()).toEqual([]);
    await add(bounded, [100], { of: 2 });
    while (begun.length < 3) {
      expect(await take()).toEqual([]);
      await use().passTime(1_000);
      await complete(begun.at(-1)!);
      begun.push(...(await take()));
    }
    expect(numbersOf(begun)).toEqual([0, 1, 100]);
  });

  test.each<[string, object]>([
    ['succeeds', { kind: 'complete', result: null }],
    ['fails and is retried later', { kind: 'fail', error: someError, abort: null, delayMs: 60_000 }],
    ['is dead', { kind: 'bury', error: someError, abort: null }],
    ['snoozes', { kind: 'snooze', delayMs: 60_000, maxSnoozes: 10 }],
    ['has snoozed too often', { kind: 'snooze', delayMs: 60_000, maxSnoozes: 0 }],
    ['is left to another worker', { kind: 'leave', keyId: 'k1', error: someError, delayMs: 60_000 }],
    ['is cancelled', { kind: 'confirm_cancel', by: null, reason: null, abort: null }],
  ])('a run that %s passes its slot on', async (_, settlement) => {
    await add(letter, [1, 2, 3]);
    const [first] = await take();
    expect(await end(first!, settlement)).not.toBeNull();
    expect(numbersOf(await take())).toEqual([3]);
    // and takes another one when it is due again
    await use().passTime(60_000);
    expect(await take()).toEqual([]);
  });

  test('a run that is given back keeps its slot, for the next worker', async () => {
    await add(letter, [1, 2, 3]);
    const [first] = await take();
    await end(first!, { kind: 'release', reason: 'a deploy', abort: null });
    expect(numbersOf(await take())).toEqual([1]);
  });

  test('a settlement that comes too late passes nothing on', async () => {
    await add(letter, [1, 2, 3]);
    const [first] = await take();
    await end(first!, { kind: 'release', reason: 'a deploy', abort: null });
    await take();
    expect(await complete(first!)).toBeNull();
    expect(await take()).toEqual([]);
  });

  if (use.can.transactional)
    test('a run that its handler completes in its own transaction passes its slot on', async () => {
      await add(letter, [1, 2, 3]);
      const [first] = await take();
      const { id, fence, gates } = first!;
      expect(await use().store.completeIn(use().tx, { id, fence, result: null, gates })).toBe(true);
      expect(numbersOf(await take())).toEqual([3]);
    });

  test('a rescued run keeps its slot where it is due at once, and passes it on where it waits or is dead', async () => {
    const { store, passTime } = { ...use(), passTime: use().passTime };
    await add(letter, [1], {}, { maxAttempts: 1 });
    await add(letter, [2, 3, 4]);
    await take();
    await passTime(LEASE_MS + 1);
    // in whatever order
    expect((await store.rescue(10)).map(({ status }) => status).sort()).toEqual(['dead', 'failed']);
    const [second, third, ...others] = await take();
    expect([numbersOf([second!, third!]).sort(), others]).toEqual([[2, 3], []]);
    await passTime(LEASE_MS + 1);
    // its second death in a row: it is due after its backoff
    await store.rescue(10);
    expect(numbersOf(await take()).sort()).toEqual([3, 4]);
  });

  test('a held run that is cancelled leaves the line', async () => {
    const [, , third] = await add(letter, [1, 2, 3, 4]);
    const [first] = await take();
    expect(await use().queue.cancelJob(third!)).toBe('cancelled');
    await complete(first!);
    expect(numbersOf(await take())).toEqual([4]);
  });

  test('a run that was let in and is cancelled before a worker takes it passes its slot on', async () => {
    const [, second] = await add(letter, [1, 2, 3]);
    expect(await take(1)).toHaveLength(1);
    expect(await use().queue.cancelJob(second!)).toBe('cancelled');
    expect(numbersOf(await take())).toEqual([3]);
  });

  test('a finished run that is retried stands in line again', async () => {
    await add(letter, [1, 2, 3]);
    const [first] = await take();
    await end(first!, { kind: 'bury', error: someError, abort: null });
    const [third] = await take();
    await use().queue.retryJob(first!.id);
    expect(await take()).toEqual([]);
    await complete(third!);
    expect(await take()).toMatchObject([{ id: first!.id, attempt: 1, gates: ['limit/smtp'] }]);
  });

  test('a held run that is retried now does not pass a limit', async () => {
    await add(letter, [1, 2, 3]);
    const [first] = await take();
    await fail(first!);
    const [third] = await take();
    await use().queue.retryJob(first!.id);
    expect(await take()).toEqual([]);
    await complete(third!);
    expect(await take()).toMatchObject([{ id: first!.id, attempt: 2 }]);
  });

  test('a run that is due later joins the line when it is due', async () => {
    await add(letter, [1], {}, { delay: '1h' });
    await add(letter, [2, 3, 4]);
    const [second] = await take();
    await use().passTime(3_599_000);
    await complete(second!);
    const [fourth] = await take();
    expect(numbersOf([fourth!])).toEqual([4]);
    await use().passTime(1_000);
    expect(await take()).toEqual([]);
    await complete(fourth!);
    expect(numbersOf(await take())).toEqual([1]);
  });
}
