import { expect, test } from '@jest/globals';
import type { EffectAnswer, EffectEnding, EffectKey } from '@duework/queue-core/ports';
import { charge, echo } from '../fixtures/test-contracts.js';
import { claim, rescueExpired, settle, someError, type Subject, type UseHarness } from './harness.js';

const key: EffectKey = { type: 'charge', runKey: 'charge:1', name: 'mail' };

export function effectCases(use: UseHarness): void {
  const begin = (subject: Subject, policy: 'at_most_once' | 'at_least_once' = 'at_most_once'): Promise<EffectAnswer> =>
    use().store.beginEffect({ ...key, id: subject.id, fence: subject.fence, policy });
  const end = (subject: Subject, ending: EffectEnding): Promise<boolean> => use().store.endEffect(key, subject, ending);
  const take = async (): Promise<Subject> => {
    const [run] = await claim(use(), 1);
    return { id: run!.id, fence: run!.fence };
  };
  /** A run whose first claim began the effect and died; the second one has it now. */
  const dieDuring = async (): Promise<{ dead: Subject; next: Subject }> => {
    await use().queue.enqueue(charge, { invoice: 1 });
    const dead = await take();
    await begin(dead);
    await rescueExpired(use());
    return { dead, next: await take() };
  };

  test('an effect that is done is done for every later claim, with its result', async () => {
    await use().queue.enqueue(charge, { invoice: 1 });
    const first = await take();
    expect(await use().store.findEffect(key)).toBeNull();
    expect(await begin(first)).toEqual({ kind: 'begun', isRepeat: false });
    expect(await use().store.findEffect(key)).toBeNull();
    expect(await end(first, { kind: 'done', resultJson: '{"messageId":"m-1"}' })).toBe(true);
    await settle(use(), first, { kind: 'fail', error: someError, delayMs: 0, abort: null });
    expect(await begin(await take())).toEqual({ kind: 'done', result: { messageId: 'm-1' } });
    expect(await use().store.findEffect(key)).toEqual({ result: { messageId: 'm-1' } });
    expect(await use().store.findEffect({ ...key, name: 'another' })).toBeNull();
  });

  test('only the claim that holds can begin one', async () => {
    const { dead } = await dieDuring();
    expect(await begin(dead)).toEqual({ kind: 'lost' });
    expect(await use().store.beginEffect({ ...key, name: 'another', ...dead, policy: 'at_least_once' })).toEqual({
      kind: 'lost',
    });
  });

  test('a claim that begins an effect again learns that it is a repeat', async () => {
    await use().queue.enqueue(charge, { invoice: 1 });
    const subject = await take();
    await begin(subject);
    expect(await begin(subject)).toEqual({ kind: 'begun', isRepeat: true });
    expect(await end(subject, { kind: 'done', resultJson: '1' })).toBe(true);
  });

  test('at most once: what an earlier claim left open is unknown, until a person wants it done again', async () => {
    const { dead, next } = await dieDuring();
    expect(await begin(next)).toEqual({ kind: 'unknown' });
    expect(await begin(next)).toEqual({ kind: 'unknown' });
    expect(await end(dead, { kind: 'undone' })).toBe(false);
    await settle(use(), next, { kind: 'bury', error: { ...someError, code: 'effect_unknown' }, abort: null });
    await use().queue.retryJob(next.id);
    expect(await begin(await take())).toEqual({ kind: 'begun', isRepeat: true });
  });

  test('an effect that is reported late as done is done: no person has to decide any more', async () => {
    const { dead, next } = await dieDuring();
    expect(await begin(next)).toEqual({ kind: 'unknown' });
    expect(await end(dead, { kind: 'done', resultJson: '1' })).toBe(true);
    expect(await begin(next)).toEqual({ kind: 'done', result: 1 });
  });

  test('an operator who has checked can say that the effect happened', async () => {
    const { next } = await dieDuring();
    await begin(next);
    await settle(use(), next, { kind: 'bury', error: { ...someError, code: 'effect_unknown' }, abort: null });
    await use().queue.retryJob(next.id, { effectsHappened: true });
    expect(await begin(await take())).toEqual({ kind: 'done', result: null });
  });

  test('at least once: the next claim takes it over and is told that it is a repeat', async () => {
    const { dead, next } = await dieDuring();
    expect(await begin(next, 'at_least_once')).toEqual({ kind: 'begun', isRepeat: true });
    expect(await end(dead, { kind: 'undone' })).toBe(false);
    expect(await end(next, { kind: 'done', resultJson: '1' })).toBe(true);
    expect(await use().store.findEffect(key)).toEqual({ result: 1 });
  });

  test('an effect that certainly did not happen is as if it had never begun', async () => {
    await use().queue.enqueue(charge, { invoice: 1 });
    const subject = await take();
    await begin(subject);
    expect(await end(subject, { kind: 'undone' })).toBe(true);
    expect(await end(subject, { kind: 'undone' })).toBe(false);
    expect(await begin(subject)).toEqual({ kind: 'begun', isRepeat: false });
  });

  test('a repeat that certainly did nothing says nothing about earlier tries: the next one is a repeat again', async () => {
    const { next } = await dieDuring();
    await begin(next, 'at_least_once');
    expect(await end(next, { kind: 'not_repeated' })).toBe(true);
    expect(await end(next, { kind: 'not_repeated' })).toBe(false);
    expect(await use().store.findEffect(key)).toBeNull();
    expect(await begin(next, 'at_least_once')).toEqual({ kind: 'begun', isRepeat: true });
    expect(await end(next, { kind: 'not_repeated' })).toBe(true);
    // nor is a person asked about it again
    expect(await begin(next)).toEqual({ kind: 'begun', isRepeat: true });
  });

  test('an effect that is reported as unknown is unknown at once', async () => {
    await use().queue.enqueue(charge, { invoice: 1 });
    const subject = await take();
    await begin(subject);
    expect(await end(subject, { kind: 'unknown' })).toBe(true);
    expect(await end(subject, { kind: 'undone' })).toBe(false);
    expect(await begin(subject)).toEqual({ kind: 'unknown' });
  });

  test('one effect of two runs for the same business event happens once', async () => {
    await use().queue.enqueue(charge, { invoice: 1 }, { idempotencyKey: null });
    await use().queue.enqueue(echo, { n: 1 });
    const [first, second] = (await claim(use(), 2)).map(({ id, fence }) => ({ id, fence }));
    expect(await begin(first!)).toEqual({ kind: 'begun', isRepeat: false });
    expect(await begin(second!)).toEqual({ kind: 'unknown' });
    expect(await end(first!, { kind: 'done', resultJson: 'null' })).toBe(true);
    expect(await begin(second!)).toEqual({ kind: 'done', result: null });
  });
}
