import { expect, test } from '@jest/globals';
import type { NewStep, StepAnswer } from '@duework/queue-core/ports';
import { ARRANGE } from './arrange.js';
import { claim, rescueExpired, settle, someError, type Subject, type UseHarness } from './harness.js';

const DAY_MS = 86_400_000;

const stepOf = ({ id, fence }: Subject, name: string, more: Partial<NewStep> = {}): NewStep => ({
  id,
  fence,
  name,
  status: 'done',
  askedSeq: 1,
  doneSeq: 2,
  open: [],
  result: null,
  error: null,
  ...more,
});

export function stepCases(use: UseHarness): void {
  const write = async (subject: Subject, name: string, more: Partial<NewStep> = {}): Promise<StepAnswer> =>
    (await use().store.writeSteps([stepOf(subject, name, more)]))[0]!;
  const namesOf = async ({ id, fence }: Subject): Promise<string[]> =>
    (await use().store.readSteps(id, fence)).done.map(({ name }) => name);

  test('what a run has done is read as it was written, in the order in which it ended', async () => {
    const subject = await ARRANGE.running(use());
    expect((await use().store.readSteps(subject.id, subject.fence)).done).toEqual([]);
    const error = { code: 'card_declined', type: 'CardError', message: 'The card was declined.' };
    const failed = stepOf(subject, 'charge', { status: 'failed', askedSeq: 1, doneSeq: 4, error });
    const done = stepOf(subject, 'reserve', { askedSeq: 2, doneSeq: 3, open: ['charge'], result: { seats: [7, 8] } });
    expect(await use().store.writeSteps([failed, done])).toEqual(['written', 'written']);
    const withoutClaim = ({ id: _, fence: __, ...row }: NewStep): object => row;
    expect((await use().store.readSteps(subject.id, subject.fence)).done).toEqual([
      withoutClaim(done),
      withoutClaim(failed),
    ]);
  });

  test('the first row of a step stays, whoever writes another one', async () => {
    const subject = await ARRANGE.running(use());
    expect(await write(subject, 'pay', { result: 'first' })).toBe('written');
    expect(await write(subject, 'pay', { result: 'second' })).toBe('kept');
    expect((await use().store.readSteps(subject.id, subject.fence)).done).toMatchObject([
      { name: 'pay', result: 'first' },
    ]);
  });

  test('a claim that has lost its run writes nothing, and does not take its batch along', async () => {
    const late = await ARRANGE.running(use());
    await rescueExpired(use());
    expect(await write(late, 'pay')).toBe('lost');
    const [owner] = await claim(use(), 1);
    const answers = await use().store.writeSteps([stepOf(late, 'late'), stepOf(owner!, 'in time')]);
    expect(answers).toEqual(['lost', 'written']);
    expect(await namesOf(late)).toEqual(['in time']);
  });

  test('one that has settled its run writes nothing', async () => {
    const subject = await ARRANGE.running(use());
    await settle(use(), subject, { kind: 'fail', error: someError, abort: null, delayMs: 60_000 });
    expect(await write(subject, 'pay')).toBe('lost');
    expect(await namesOf(subject)).toEqual([]);
  });

  test('steps outlive what becomes of their run: a failure, a rescue, its death and a person’s retry', async () => {
    const first = await ARRANGE.running(use());
    await write(first, 'a');
    await settle(use(), first, { kind: 'fail', error: someError, abort: null, delayMs: 0 });
    await write((await claim(use(), 1))[0]!, 'b', { doneSeq: 3 });
    await rescueExpired(use());
    const [third] = await claim(use(), 1);
    await settle(use(), third!, { kind: 'bury', error: someError, abort: null });
    expect(await namesOf(first)).toEqual(['a', 'b']);
    await use().queue.retryJob(first.id);
    expect(await write((await claim(use(), 1))[0]!, 'a')).toBe('kept');
  });

  test('steps are kept while their run lives, and as long as its history', async () => {
    const finished = await ARRANGE.running(use());
    await write(finished, 'a');
    await settle(use(), finished, { kind: 'complete', result: null });
    const live = await ARRANGE.running(use());
    await write(live, 'b');
    await use().store.prune({ keepDays: 3, keepDeadDays: 3 });
    expect([await namesOf(finished), await namesOf(live)]).toEqual([['a'], ['b']]);
    await use().passTime(5 * DAY_MS);
    await use().store.prune({ keepDays: 3, keepDeadDays: 3 });
    expect([await namesOf(finished), await namesOf(live)]).toEqual([[], ['b']]);
  });

  if (use.can.transactional)
    test('a step in a transaction is fenced, too, and the first row stays', async () => {
      const { store, tx } = use();
      const subject = await ARRANGE.running(use());
      const { id, fence } = subject;
      expect(await store.writeStepIn(tx, stepOf({ id, fence: fence + 1 }, 'pay'))).toBe('lost');
      expect(await store.writeStepIn(tx, stepOf(subject, 'pay', { result: 1 }))).toBe('written');
      expect(await store.writeStepIn(tx, stepOf(subject, 'pay', { result: 2 }))).toBe('kept');
      expect((await use().store.readSteps(id, fence)).done).toMatchObject([{ result: 1 }]);
    });
}
