import { defineSignal } from '@duework/contracts';
import type { NewWait, WaitAnswer } from '@duework/queue-core/ports';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { echo } from '../fixtures/test-contracts.js';
import { ARRANGE } from './arrange.js';
import { claim, rescueExpired, settle, someError, type Subject, type UseHarness } from './harness.js';

const paid = defineSignal({ name: 'paid', by: ['order'], payload: z.object({ order: z.int(), amount: z.int() }) });
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FOREVER = { afterMs: null, until: null, awaits: null, awaited: null } as const;
const FOR_ORDER = { ...FOREVER, awaits: 'signal', awaited: 'paid 7' } as const;

export function waitCases(use: UseHarness): void {
  const begin = async (
    { id, fence }: Subject,
    name: string,
    wait: Omit<NewWait, 'id' | 'fence' | 'name' | 'askedSeq'>,
  ): Promise<WaitAnswer> => (await use().store.beginWaits([{ id, fence, name, askedSeq: 1, ...wait }]))[0]!;
  const read = ({ id, fence }: Subject) => use().store.readSteps(id, fence);
  /** As an attempt that has nothing to do but wait, for a century or until what it waits for has come. */
  const suspend = (subject: Subject) =>
    settle(use(), subject, { kind: 'snooze', delayMs: 0, maxSnoozes: 1_000, wakesAt: '2126-11-25T00:00:00.000Z' });
  const signal = (amount = 1) => use().queue.signal(paid, { order: 7, amount });

  test('a wait is read with the moment at which it ends, and is ended once', async () => {
    const subject = await ARRANGE.running(use());
    const answer = await begin(subject, 'sleep', { ...FOREVER, afterMs: HOUR_MS });
    expect(answer).toEqual({ kind: 'waiting', wakesAt: expect.any(String) });
    expect(await read(subject)).toEqual({
      done: [],
      waits: [{ name: 'sleep', wakesAt: (answer as { wakesAt: string }).wakesAt }],
    });
    expect(await begin(subject, 'sleep', { ...FOREVER, afterMs: 2 * HOUR_MS })).toEqual(answer);
    expect(await use().store.endWait({ ...subject, name: 'sleep', doneSeq: 4 })).toEqual({ result: null });
    expect(await use().store.endWait({ ...subject, name: 'sleep', doneSeq: 5 })).toBeNull();
    expect(await read(subject)).toMatchObject({ done: [{ name: 'sleep', doneSeq: 4, result: null }], waits: [] });
    expect(await begin(subject, 'sleep', FOREVER)).toEqual({ kind: 'done' });
  });

  test('a claim that has lost its run begins and ends no wait', async () => {
    const late = await ARRANGE.running(use());
    await begin(late, 'a', FOREVER);
    await rescueExpired(use());
    expect(await begin(late, 'b', FOREVER)).toEqual({ kind: 'lost' });
    expect(await use().store.endWait({ ...late, name: 'a', doneSeq: 1 })).toBeNull();
  });

  test('a signal ends the wait that has waited longest, and makes its run due', async () => {
    const [first, second] = [await ARRANGE.running(use()), await ARRANGE.running(use())];
    for (const subject of [first, second]) {
      await begin(subject, 'payment', FOR_ORDER);
      await suspend(subject);
    }
    expect(await claim(use(), 10)).toEqual([]);
    const waits = async (): Promise<boolean> => (await use().queue.getJob(first.id)).job.isSuspended;
    expect(await waits()).toBe(true);
    expect(await signal(5)).toBe(true);
    expect(await waits()).toBe(false);
    const woken = await claim(use(), 10);
    expect(woken.map(({ id }) => id)).toEqual([first.id]);
    expect(await read(woken[0]!)).toMatchObject({ done: [{ name: 'payment', result: { order: 7, amount: 5 } }] });
  });

  test('one that is sent before is kept for the first wait, and received once', async () => {
    expect(await signal(1)).toBe(false);
    const [first, second] = [await ARRANGE.running(use()), await ARRANGE.running(use())];
    expect(await begin(first, 'payment', FOR_ORDER)).toEqual({ kind: 'done' });
    expect(await use().store.endWait({ ...first, name: 'payment', doneSeq: 2 })).toEqual({
      result: { order: 7, amount: 1 },
    });
    expect(await begin(second, 'payment', FOR_ORDER)).toMatchObject({ kind: 'waiting' });
  });

  test('one that comes while the run has not gone to wait yet makes it due as soon as it does', async () => {
    const subject = await ARRANGE.running(use());
    await begin(subject, 'payment', FOR_ORDER);
    expect(await signal()).toBe(true);
    expect(await suspend(subject)).toBe('queued');
    const [again] = await claim(use(), 10);
    expect(again).toMatchObject({ id: subject.id });
    // that was of the claim before
    expect(await suspend(again!)).toBe('queued');
    expect(await claim(use(), 10)).toEqual([]);
  });

  test('a run that waits for a retry or a snooze of its own is not hurried', async () => {
    const subject = await ARRANGE.running(use());
    await begin(subject, 'payment', FOR_ORDER);
    await settle(use(), subject, { kind: 'fail', error: someError, abort: null, delayMs: HOUR_MS });
    expect(await signal()).toBe(true);
    expect(await claim(use(), 10)).toEqual([]);
  });

  test('a run that is over receives nothing: the signal is kept for another one', async () => {
    const subject = await ARRANGE.running(use());
    await begin(subject, 'payment', FOR_ORDER);
    await settle(use(), subject, { kind: 'complete', result: null });
    expect(await signal()).toBe(false);
    expect(await begin(await ARRANGE.running(use()), 'payment', FOR_ORDER)).toEqual({ kind: 'done' });
  });

  test('what has arrived comes behind all that was known before, and stays there', async () => {
    const subject = await ARRANGE.running(use());
    await begin(subject, 'payment', FOR_ORDER);
    await signal();
    const step = { status: 'done', askedSeq: 2, doneSeq: 9, open: [], result: null, error: null } as const;
    await use().store.writeSteps([{ ...step, ...subject, name: 'late' }]);
    await settle(use(), subject, { kind: 'fail', error: someError, abort: null, delayMs: 0 });
    const [again] = await claim(use(), 1);
    const names = async (): Promise<unknown> => (await read(again!)).done.map(({ name, doneSeq }) => [name, doneSeq]);
    const order = [
      ['late', 9],
      ['payment', 10],
    ];
    expect(await names()).toEqual(order);
    await use().store.writeSteps([{ ...step, id: again!.id, fence: again!.fence, name: 'next', doneSeq: 12 }]);
    expect(await names()).toEqual([...order, ['next', 12]]);
  });

  test('a job that ends, however it ends, ends the waits for it', async () => {
    const [parent, child] = [await ARRANGE.running(use()), await ARRANGE.running(use())];
    await begin(parent, 'child', { ...FOREVER, awaits: 'job', awaited: child.id });
    await suspend(parent);
    await settle(use(), child, { kind: 'bury', error: someError, abort: null });
    const [woken] = await claim(use(), 10);
    expect(woken).toMatchObject({ id: parent.id });
    expect((await read(woken!)).done).toMatchObject([
      { name: 'child', result: { id: child.id, status: 'dead', errorCode: 'boom', error: someError.message } },
    ]);
  });

  test('a run that is cancelled while it waits takes its children along, and no job that it only waits for', async () => {
    const parent = await ARRANGE.running(use());
    const running = await ARRANGE.running(use());
    const [waiting, other] = [await ARRANGE.queued(use()), await ARRANGE.queued(use())];
    for (const { id } of [running, waiting])
      await begin(parent, `child ${id}`, { ...FOREVER, awaits: 'child', awaited: id });
    await begin(parent, 'other', { ...FOREVER, awaits: 'job', awaited: other.id });
    await suspend(parent);
    await use().queue.cancelJob(parent.id, { by: 'ada' });
    const look = async ({ id }: { readonly id: string }) => (await use().queue.getJob(id)).job;
    expect(await look(running)).toMatchObject({ status: 'running', cancelRequestedBy: 'ada' });
    expect(await look(waiting)).toMatchObject({
      status: 'cancelled',
      cancelRequestedBy: 'ada',
      cancelReason: `Its parent, job ${parent.id}, was cancelled.`,
    });
    expect(await look(other)).toMatchObject({ status: 'queued' });
  });

  test('one that is cancelled before it goes to wait takes its children along, too', async () => {
    const [parent, child] = [await ARRANGE.running(use()), await ARRANGE.queued(use())];
    await begin(parent, 'child', { ...FOREVER, awaits: 'child', awaited: child.id });
    await use().queue.cancelJob(parent.id, { by: 'ada' });
    expect((await use().queue.getJob(child.id)).job.status).toBe('queued');
    await settle(use(), parent, { kind: 'confirm_cancel', by: null, reason: null, abort: null });
    expect((await use().queue.getJob(child.id)).job).toMatchObject({ status: 'cancelled', cancelRequestedBy: 'ada' });
  });

  test('a retry from a step forgets what was done from there on, and lets children be enqueued anew', async () => {
    const parent = await ARRANGE.running(use());
    // a store knows a run by its own id, whatever stands before it outside
    const keyOf = (name: string): string => `child:${parent.id.slice(parent.id.indexOf('.') + 1)}:${name}`;
    const child = async (name: string, kind: 'complete' | 'bury'): Promise<string> => {
      const { id } = await use().queue.enqueue(echo, { n: 1 }, { idempotencyKey: keyOf(name) });
      await begin(parent, name, { ...FOREVER, awaits: 'child', awaited: id });
      const [run] = await claim(use(), 1);
      await settle(use(), run!, kind === 'complete' ? { kind, result: null } : { kind, error: someError, abort: null });
      return id;
    };
    const [first, second, third] = [
      await child('a', 'complete'),
      await child('b', 'bury'),
      await child('c', 'complete'),
    ];
    await read(parent);
    await begin(parent, 'd', FOREVER);
    await settle(use(), parent, { kind: 'bury', error: someError, abort: null });
    const retry = (fromStep: string) => use().queue.retryJob(parent.id, { fromStep });
    await expect(retry('none')).rejects.toMatchObject({ code: 'step_not_found', facts: { step: 'none' } });
    await retry('b');
    const [again] = await claim(use(), 1);
    expect(again).toMatchObject({ id: parent.id });
    expect(await read(again!)).toMatchObject({ done: [{ name: 'a' }], waits: [] });
    const enqueueAgain = async (name: string): Promise<string> =>
      (await use().queue.enqueue(echo, { n: 1 }, { idempotencyKey: keyOf(name) })).id;
    expect(await enqueueAgain('a')).toBe(first);
    expect(await enqueueAgain('b')).not.toBe(second);
    expect(await enqueueAgain('c')).not.toBe(third);
  });

  test('one that has ended already ends them at once, and for one that there is not nobody waits', async () => {
    const parent = await ARRANGE.running(use());
    const { id } = await ARRANGE.succeeded(use());
    expect(await begin(parent, 'job', { ...FOREVER, awaits: 'job', awaited: id })).toEqual({ kind: 'done' });
    for (const awaited of [use().ids.unknown, ...use().ids.malformed])
      expect(await begin(parent, 'none', { ...FOREVER, awaits: 'job', awaited })).toEqual({ kind: 'unknown' });
  });

  test('children are kept as long as their parent, and one that is older than its parent is not', async () => {
    const { id: older } = await ARRANGE.succeeded(use());
    const parent = await ARRANGE.running(use());
    const child = await ARRANGE.running(use());
    await begin(parent, 'child', { ...FOREVER, awaits: 'child', awaited: child.id });
    await begin(parent, 'older', { ...FOREVER, awaits: 'child', awaited: older });
    await settle(use(), child, { kind: 'complete', result: null });
    const keep = async (days: number): Promise<string[]> => {
      await use().passTime(days * DAY_MS);
      await use().store.prune({ keepDays: 3, keepDeadDays: 3 });
      const there = [];
      for (const [name, id] of Object.entries({ older, child: child.id, parent: parent.id }))
        if (
          (await use()
            .queue.getJob(id)
            .catch(() => null)) !== null
        )
          there.push(name);
      return there;
    };
    expect(await keep(50)).toEqual(['child', 'parent']);
    await settle(use(), parent, { kind: 'complete', result: null });
    expect(await keep(2)).toEqual(['child', 'parent']);
    expect(await keep(3)).toEqual([]);
  });

  test('signals that nobody receives are kept as long as finished runs', async () => {
    await signal();
    await use().passTime(5 * DAY_MS);
    await use().store.prune({ keepDays: 3, keepDeadDays: 3 });
    expect(await begin(await ARRANGE.running(use()), 'payment', FOR_ORDER)).toMatchObject({ kind: 'waiting' });
  });
}
