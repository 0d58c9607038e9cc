import { expect, test } from '@jest/globals';
import { numbersOf, type UseHarness } from '../harness.js';
import { letter, mail, patient, print } from './flow-contracts.js';
import { flowHarness } from './flow-harness.js';

export function limitCases(use: UseHarness): void {
  const { add, take, complete, fail } = flowHarness(use);

  test('a limit is never exceeded, and a slot that gets free is used', async () => {
    await add(letter, [1, 2, 3, 4, 5]);
    const [first, second] = await take();
    expect(numbersOf([first!, second!])).toEqual([1, 2]);
    expect(await take()).toEqual([]);
    await complete(first!);
    const [third] = await take();
    expect(third).toMatchObject({ payload: { n: 3 }, attempt: 1, gates: ['limit/smtp'] });
    await complete(second!);
    await complete(third!);
    expect(numbersOf(await take())).toEqual([4, 5]);
  });

  test('a limit by a field counts for each value, and one by a name for all types that give it', async () => {
    await add(mail, [1, 2], { of: 7 });
    await add(letter, [3, 4]);
    await add(mail, [5], { of: 8 });
    const [first, third] = await take();
    expect(numbersOf([first!, third!])).toEqual([1, 3]);
    await complete(third!);
    // the second mail waits for the first of its value, and holds up nobody
    const [fourth] = await take();
    expect(numbersOf([fourth!])).toEqual([4]);
    await complete(first!);
    expect(numbersOf(await take())).toEqual([2]);
    await complete(fourth!);
    expect(numbersOf(await take())).toEqual([5]);
  });

  test('a run takes what it costs, nobody passes one that waits for much, and one that costs more than there is runs alone', async () => {
    await add(print, [1], { cost: 4 });
    await add(print, [2], { cost: 2 });
    await add(print, [3], { cost: 1 });
    await add(print, [4], { cost: 9 });
    const [first, ...others] = await take();
    expect([numbersOf([first!]), others]).toEqual([[1], []]);
    await complete(first!);
    const [second, third, ...more] = await take();
    expect([numbersOf([second!, third!]), more]).toEqual([[2, 3], []]);
    await complete(second!);
    expect(await take()).toEqual([]);
    await complete(third!);
    expect(numbersOf(await take())).toEqual([4]);
    await add(print, [5]);
    expect(await take()).toEqual([]);
  });

  test('a job tells at which gate it waits, and at which there has to be room, and how much', async () => {
    const [first, second] = await add(mail, [1, 2], { of: 7 });
    const [later] = await add(print, [3], { cost: 4 }, { delay: '1h' });
    const [none] = await add(patient, [4]);
    await take();
    const gatesOf = async (id: string | undefined) => {
      const { heldBy, gates } = (await use().queue.getJob(id!)).job;
      return [heldBy, gates.map(({ key, units }) => `${key} ${units}`)];
    };
    const gates = ['limit/smtp 1', 'limit/mail.of/7 1'];
    expect(await gatesOf(first)).toEqual([null, gates]);
    expect(await gatesOf(second)).toEqual(['limit/mail.of/7', gates]);
    expect(await gatesOf(later)).toEqual([null, ['limit/print 4']]);
    expect(await gatesOf(none)).toEqual([null, []]);
  });

  test('who waits at a limit counts as held and not as due, and whoever was let in as due', async () => {
    await add(letter, [1, 2, 3, 4, 5]);
    await add(print, [6, 7], {}, { delay: '1h' });
    const [first, ...more] = await take(1);
    expect(more).toEqual([]);
    const depth = async () => use().queue.queueDepth();
    const printed = { type: 'print', due: 0, running: 0, held: 0, scheduled: 2, retrying: 0 };
    expect(await depth()).toMatchObject([
      { type: 'letter', due: 1, running: 1, held: 3, scheduled: 0, retrying: 0 },
      printed,
    ]);
    await fail(first!);
    expect(await depth()).toMatchObject([
      { type: 'letter', due: 2, running: 0, held: 2, scheduled: 0, retrying: 1 },
      printed,
    ]);
  });

  if (use.can.priorities)
    test('of those that wait at a limit the most urgent is next, and of these the oldest', async () => {
      await add(letter, [1, 2], {}, { priority: 9 });
      const [first, second] = await take();
      await add(letter, [3], {}, { priority: 9 });
      await add(letter, [4, 5], {}, { priority: 1 });
      await complete(first!);
      expect(numbersOf(await take())).toEqual([4]);
      await complete(second!);
      expect(numbersOf(await take())).toEqual([5]);
    });
}
