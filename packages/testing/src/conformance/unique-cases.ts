import { defineJob, type JobContract, type UniqueOptions } from '@duework/contracts';
import { describe, expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import { z } from 'zod';
import { claim, settle, someError, type UseHarness } from './harness.js';

const HOUR = 3_600_000;
const payload = z.object({ account: z.int(), n: z.int() });
type Payload = z.output<typeof payload>;
/** A contract that is claimed as `echo` is, one of a kind for each account. */
const one = (unique: UniqueOptions<Payload>) =>
  defineJob({ type: 'echo', payload, unique: { by: 'account', ...unique } });
type One = ReturnType<typeof one>;

export function uniqueCases(use: UseHarness): void {
  const give = (contract: One, n: number, options: object = {}, account = 7) =>
    use().queue.enqueue(contract, { account, n }, options);
  const jobOf = async (id: string) => (await use().queue.getJob(id)).job;
  const claimOne = async () => (await claim(use(), 1))[0]!;

  describe('a job that is one of a kind', () => {
    test('while it lives: a second one is the first, until that one is over', async () => {
      const contract = one({ while: 'alive' });
      const { id } = await give(contract, 1);
      expect(await give(contract, 1)).toMatchObject({ id, isDeduplicated: true, payloadDiffers: false });
      expect(await give(contract, 1, {}, 8)).toMatchObject({ isDeduplicated: false });
      const run = await claimOne();
      expect(await give(contract, 2)).toMatchObject({
        id,
        status: 'running',
        isDeduplicated: true,
        payloadDiffers: true,
      });
      await settle(use(), run, { kind: 'fail', error: someError, abort: null, delayMs: HOUR });
      expect(await give(contract, 2)).toMatchObject({ id, status: 'failed', isDeduplicated: true });
      await use().queue.cancelJob(id);
      expect(await give(contract, 2)).toMatchObject({ isDeduplicated: false, status: 'queued' });
    });

    test('while it waits: one that has been claimed does not stand for the next', async () => {
      const contract = one({ while: 'waiting' });
      const { id } = await give(contract, 1);
      expect(await give(contract, 2)).toMatchObject({ id, isDeduplicated: true });
      await claimOne();
      const next = await give(contract, 3);
      expect(next).toMatchObject({ isDeduplicated: false });
      expect(await give(contract, 4)).toMatchObject({ id: next.id, isDeduplicated: true });
    });

    test('in a period: the next period has one of its own, whatever became of the first', async () => {
      const contract = one({ per: '1h' });
      const { id } = await give(contract, 1);
      await settle(use(), await claimOne(), { kind: 'complete', result: null });
      await use().passTime(HOUR);
      const next = await give(contract, 2);
      expect(next).toMatchObject({ isDeduplicated: false });
      expect(next.id).not.toBe(id);
    });

    test('has no idempotency key, because a later one with the same value is another event', async () => {
      const { id } = await give(one({}), 1);
      expect((await jobOf(id)).idempotencyKey).toBeNull();
    });

    test('tells runs apart by a path, by a function, or by the key that a caller gives', async () => {
      const byCode = defineJob({ type: 'echo', payload, unique: { by: ({ account }) => `account ${account}` } });
      const { id } = await give(byCode, 1);
      expect(await give(byCode, 2)).toMatchObject({ id });
      const byKey = defineJob({ type: 'echo', payload, unique: {} });
      const given = await give(byKey, 1, { idempotencyKey: 'mine' });
      expect(await give(byKey, 2, { idempotencyKey: 'mine' }, 8)).toMatchObject({ id: given.id });
      expect(await give(byKey, 3)).toMatchObject({ isDeduplicated: false });
    });
  });

  test('debounce: the one that waits gets the last payload and moment, and no later than the longest delay', async () => {
    const contract = one({ onConflict: 'replace', maxDelay: '1h' });
    const { id } = await give(contract, 1, { delay: '10m' });
    const { createdAt } = await jobOf(id);
    expect(await give(contract, 2, { delay: '20m' })).toMatchObject({
      id,
      isDeduplicated: true,
      payloadDiffers: false,
    });
    const replaced = await jobOf(id);
    expect(replaced).toMatchObject({ status: 'queued', payload: { account: 7, n: 2 } });
    expect(replaced.runAt.getTime()).toBeGreaterThanOrEqual(createdAt.getTime() + 1_200_000);
    await give(contract, 3, { delay: '3h' });
    expect((await jobOf(id)).runAt.getTime()).toBe(createdAt.getTime() + HOUR);
    await use().passTime(HOUR);
    expect(await claim(use(), 10)).toMatchObject([{ id, payload: { n: 3 } }]);
    expect(await give(contract, 4, { delay: '10m' })).toMatchObject({ isDeduplicated: false });
  });

  test('the earliest of several moments counts, and the first payload', async () => {
    const contract = one({ onConflict: 'earliest' });
    const { id } = await give(contract, 1, { delay: '1h' });
    await give(contract, 2, { delay: '2h' });
    expect(await claim(use(), 10)).toEqual([]);
    expect(await give(contract, 3)).toMatchObject({ id, isDeduplicated: true, payloadDiffers: true });
    expect(await claim(use(), 10)).toMatchObject([{ id, payload: { n: 1 } }]);
  });

  test('refuse: a second one is an error that names the first, and a batch with it leaves nothing', async () => {
    const { queue } = use();
    const contract = one({ onConflict: 'refuse' });
    const { id } = await give(contract, 1);
    await expect(give(contract, 2)).rejects.toMatchObject({
      code: 'job_exists',
      facts: { id, type: 'echo', status: 'queued' },
    });
    const requests = [8, 7].map((account) => jobRequest(contract as JobContract, { account, n: 3 }));
    await expect(queue.enqueueMany(requests)).rejects.toMatchObject({ code: 'job_exists', facts: { id } });
    const twice = [9, 9].map((account) => jobRequest(contract as JobContract, { account, n: 3 }));
    await expect(queue.enqueueMany(twice)).rejects.toMatchObject({ code: 'job_exists' });
    expect(await claim(use(), 10)).toMatchObject([{ id }]);
  });

  test('the newest wins: the one that waits is cancelled, and the worker of a running one is asked to', async () => {
    const { queue } = use();
    const contract = one({ onConflict: 'cancel_running' });
    const first = await give(contract, 1);
    const second = await give(contract, 2);
    expect(second).toMatchObject({ isDeduplicated: false });
    expect(await jobOf(first.id)).toMatchObject({ status: 'cancelled', cancelRequestedBy: 'newer' });
    expect(await claim(use(), 10)).toMatchObject([{ id: second.id }]);
    const third = await give(contract, 3);
    expect((await queue.getJob(second.id)).job).toMatchObject({
      status: 'running',
      cancelRequestedAt: expect.any(Date),
      cancelRequestedBy: 'newer',
    });
    expect(await claim(use(), 10)).toMatchObject([{ id: third.id, payload: { n: 3 } }]);
  });

  test('throttle: the first runs now, and of the others one, with the last payload, at the end of the time', async () => {
    const contract = one({ onConflict: 'once_more', per: '1h' });
    const first = await give(contract, 1);
    await settle(use(), await claimOne(), { kind: 'complete', result: null });
    const more = await give(contract, 2);
    expect(more).toMatchObject({ isDeduplicated: false });
    expect(more.runAt.getTime()).toBeGreaterThanOrEqual(first.runAt.getTime() + HOUR);
    expect(await give(contract, 3)).toMatchObject({ id: more.id, isDeduplicated: true, runAt: more.runAt });
    expect(await claim(use(), 10)).toEqual([]);
    await use().passTime(HOUR);
    const run = await claimOne();
    expect(run).toMatchObject({ id: more.id, payload: { n: 3 } });
    await settle(use(), run, { kind: 'complete', result: null });
    // it was the first of the time that follows
    expect((await give(contract, 4)).runAt.getTime()).toBeGreaterThan(run.runAtMs);
    expect(await claim(use(), 10)).toEqual([]);
  });

  test('throttle: the first keeps its payload while it waits for a worker, and the others are one more', async () => {
    const contract = one({ onConflict: 'once_more', per: '1h' });
    const first = await give(contract, 1);
    const more = await give(contract, 2);
    expect(more).toMatchObject({ isDeduplicated: false });
    expect(await give(contract, 3)).toMatchObject({ id: more.id, isDeduplicated: true });
    const run = await claimOne();
    expect(run).toMatchObject({ id: first.id, payload: { n: 1 } });
    await settle(use(), run, { kind: 'fail', error: someError, delayMs: 2 * HOUR, abort: null });
    await use().passTime(HOUR);
    expect(await claimOne()).toMatchObject({ id: more.id, payload: { n: 3 } });
    await use().passTime(HOUR);
    expect(await claimOne()).toMatchObject({ id: first.id, payload: { n: 1 } });
  });

  test('a batch may have several of a kind, and others', async () => {
    const contract = one({ onConflict: 'replace' }) as JobContract;
    const plain = defineJob({ type: 'echo', payload }) as JobContract;
    const jobs = await use().queue.enqueueMany([
      jobRequest(contract, { account: 1, n: 1 }),
      jobRequest(plain, { account: 1, n: 2 }),
      jobRequest(contract, { account: 1, n: 3 }),
    ]);
    expect(jobs.map(({ isDeduplicated }) => isDeduplicated)).toEqual([false, false, true]);
    expect(jobs[2]!.id).toBe(jobs[0]!.id);
    const runs = await claim(use(), 10);
    expect(runs.map((run) => (run.payload as Payload).n).sort()).toEqual([2, 3]);
  });
}
