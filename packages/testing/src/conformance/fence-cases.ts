import { describe, expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import type { LeaseToExtend } from '@duework/queue-core/ports';
import { echo } from '../fixtures/test-contracts.js';
import {
  claim,
  lookForLost,
  LEASE_MS,
  rescueExpired,
  settle,
  someError,
  type StoreHarness,
  type Subject,
  type UseHarness,
} from './harness.js';

/** A run whose lease passed from one worker to another: both believe that they have it. */
async function passLease(harness: StoreHarness): Promise<{ late: Subject; owner: Subject }> {
  const { id } = await harness.queue.enqueue(echo, { n: 1 });
  const [first] = await claim(harness, 1, 'slow');
  await rescueExpired(harness);
  const [second] = await claim(harness, 1, 'fast');
  return { late: { id, fence: first!.fence }, owner: { id, fence: second!.fence } };
}

const SETTLEMENTS: readonly object[] = [
  { kind: 'complete', result: 'late' },
  { kind: 'fail', error: someError, delayMs: 1, abort: null },
  { kind: 'bury', error: someError, abort: null },
  { kind: 'snooze', delayMs: 1 },
  { kind: 'release', reason: 'late', abort: null },
  { kind: 'confirm_cancel', by: null, reason: null, abort: null },
];

export function fenceCases(use: UseHarness): void {
  test.each(SETTLEMENTS)(
    'a late settlement after the lease passed to another worker changes nothing: %j',
    async (settlement) => {
      const { late, owner } = await passLease(use());
      const before = await use().queue.getJob(late.id);
      expect(await settle(use(), late, settlement)).toBeNull();
      expect(await use().queue.getJob(late.id)).toEqual(before);
      // the owner can
      expect(await settle(use(), owner, { kind: 'complete', result: 'in time' })).toBe('succeeded');
      expect((await use().queue.getJob(late.id)).job).toMatchObject({
        status: 'succeeded',
        result: 'in time',
        worker: 'fast',
        attempts: 2,
      });
    },
  );

  test.each(SETTLEMENTS)('nor does one of a worker that lost its lease to nobody yet: %j', async (settlement) => {
    const { id } = await use().queue.enqueue(echo, { n: 1 });
    const [run] = await claim(use(), 1);
    await rescueExpired(use());
    const before = await use().queue.getJob(id);
    expect(await settle(use(), run!, settlement)).toBeNull();
    expect(await use().queue.getJob(id)).toEqual(before);
  });

  test('one lost lease does not take its batch along', async () => {
    const { late } = await passLease(use());
    await use().queue.enqueueMany([jobRequest(echo, { n: 2 }), jobRequest(echo, { n: 3 })]);
    const others = await claim(use(), 10);
    const settled = await use().store.settle(
      [late, ...others].map(({ id, fence }) => ({ kind: 'complete', id, fence, result: null })),
    );
    expect(settled).toEqual([null, ...others.map(() => 'succeeded')]);
    expect((await use().queue.getJob(late.id)).job.status).toBe('running');
  });

  test('the fence only grows: through snooze, release, failure, rescue and an operator’s retry', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 });
    const ends: readonly object[] = [...SETTLEMENTS.slice(1), { kind: 'bury', error: someError, abort: null }];
    for (const [index, end] of ends.entries()) {
      const [run] = await claim(use(), 1);
      expect(run).toMatchObject({ id, fence: index + 1 });
      await settle(use(), run!, end);
      await use().passTime(10);
      await use().queue.retryJob(id);
      expect((await use().queue.getJob(id)).job.fence).toBe(index + 1);
    }
  });

  describe('leases', () => {
    const extend = (subject: Subject, renew: LeaseToExtend['renew'] = 'now') =>
      use().store.extendLeases([{ id: subject.id, fence: subject.fence, leaseMs: 60_000, renew }]);

    test('one that is renewed is not rescued until its new end', async () => {
      const { id } = await use().queue.enqueue(echo, { n: 1 });
      const [run] = await claim(use(), 1);
      await use().passTime(LEASE_MS - 1_000);
      expect(await extend(run!)).toEqual([
        { id, isExtended: true, isCancelRequested: false, cancelRequestedBy: null, cancelReason: null },
      ]);
      expect(await rescueExpired(use())).toEqual([]);
      await use().passTime(60_000);
      expect(await use().store.rescue(10)).toMatchObject([{ id }]);
    });

    test('are not renewed when a heartbeat only asks about them', async () => {
      await use().queue.enqueue(echo, { n: 1 });
      const [run] = await claim(use(), 1);
      expect(await extend(run!, 'never')).toMatchObject([{ id: run!.id, isExtended: false }]);
      expect(await rescueExpired(use())).toHaveLength(1);
    });

    test("are renewed early where the store's clock leaves little of them, and only there", async () => {
      await use().queue.enqueue(echo, { n: 1 });
      const [run] = await claim(use(), 1);
      await extend(run!);
      expect(await extend(run!, 'when_short')).toMatchObject([{ isExtended: false }]);
      // as a step of its clock does to a lease that its worker has just renewed
      await use().passTime(60_001);
      expect(await extend(run!, 'never')).toMatchObject([{ isExtended: false }]);
      expect(await extend(run!, 'when_short')).toMatchObject([{ id: run!.id, isExtended: true }]);
      expect(await lookForLost(use())).toMatchObject({ hasExpired: false });
    });

    test('that were over at a moment are rescued, and none that has ended since', async () => {
      await use().queue.enqueueMany([jobRequest(echo, { n: 1 }), jobRequest(echo, { n: 2 })]);
      const [first, second] = await claim(use(), 2);
      await extend(second!);
      await use().passTime(60_001);
      const { hasExpired, nowMs } = await lookForLost(use());
      expect(hasExpired).toBe(true);
      const expiredBeforeMs = nowMs - 30_000;
      expect(await use().store.rescue(10, { expiredBeforeMs })).toMatchObject([{ id: first!.id }]);
      expect(await use().store.rescue(10, { expiredBeforeMs })).toEqual([]);
      expect(await use().store.rescue(10)).toMatchObject([{ id: second!.id }]);
    });

    test('show a heartbeat who wants the run cancelled, and why', async () => {
      const { id } = await use().queue.enqueue(echo, { n: 1 });
      const [run] = await claim(use(), 1);
      await use().queue.cancelJob(id, { by: 'ada', reason: 'wrong order' });
      expect(await extend(run!, 'never')).toEqual([
        { id, isExtended: false, isCancelRequested: true, cancelRequestedBy: 'ada', cancelReason: 'wrong order' },
      ]);
    });

    test('a late heartbeat does not extend another worker’s lease', async () => {
      const { late, owner } = await passLease(use());
      const before = await use().queue.getJob(late.id);
      expect(await extend(late)).toEqual([]);
      expect(await extend(late, 'never')).toEqual([]);
      expect(await use().queue.getJob(late.id)).toEqual(before);
      expect(await extend(owner)).toHaveLength(1);
    });

    test('end with their run', async () => {
      await use().queue.enqueue(echo, { n: 1 });
      const [run] = await claim(use(), 1);
      await settle(use(), run!, { kind: 'snooze', delayMs: 1 });
      expect(await extend(run!)).toEqual([]);
    });
  });
}
