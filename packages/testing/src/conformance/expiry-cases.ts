import { defineCatalog, defineJob } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import { UNCOUNTED_SNOOZES } from '@duework/queue-core/ports';
import { z } from 'zod';
import { echo } from '../fixtures/test-contracts.js';
import { claim, rescueExpired, settle, someError, type UseHarness } from './harness.js';

const MINUTE = 60_000;
const payload = z.object({ n: z.int() });
const brief = defineJob({ type: 'echo', payload, expiresAfter: '1m', onExpired: 'too_late' });
const tooLate = defineJob({
  type: 'too_late',
  payload: z.object({ jobId: z.string(), type: z.string(), payload: z.unknown().optional() }),
});
const secret = defineJob({
  type: 'secret',
  payload: z.object({ iban: z.string() }),
  sensitive: ['/iban'],
  expiresAfter: '1m',
  onExpired: 'too_late',
});
const patient = defineJob({ type: 'echo', payload, retryFor: '10m' });

export function expiryCases(use: UseHarness): void {
  const expire = async (): Promise<readonly string[]> => (await use().store.expire(100)).expired.map(({ id }) => id);

  test('what has not started in time is never claimed, and is cancelled as expired', async () => {
    const { queue } = use();
    const { id } = await queue.enqueue(brief, { n: 1 });
    const [other] = await queue.enqueueMany([jobRequest(echo, { n: 2 }, { expiresAfter: '2m' })]);
    expect(await expire()).toEqual([]);
    await use().passTime(MINUTE);
    expect((await claim(use(), 10)).map((run) => run.id)).toEqual([other!.id]);
    expect(await expire()).toEqual([id]);
    expect(await expire()).toEqual([]);
    expect((await queue.getJob(id)).job).toMatchObject({
      status: 'cancelled',
      errorCode: 'expired',
      cancelRequestedBy: 'expiry',
      cancelReason: expect.stringContaining('in time'),
      attempts: 0,
      finishedAt: expect.any(Date),
    });
  });

  test('the time counts from when it is due, and a caller may give another one, or none', async () => {
    const { queue } = use();
    const later = await queue.enqueue(brief, { n: 1 }, { delay: '1h' });
    const { job } = await queue.getJob(later.id);
    expect(job.expiresAt!.getTime() - job.runAt.getTime()).toBe(MINUTE);
    const never = await queue.enqueue(brief, { n: 2 }, { expiresAfter: null });
    expect((await queue.getJob(never.id)).job.expiresAt).toBeNull();
    await use().passTime(MINUTE * 60);
    expect(await expire()).toEqual([]);
    expect((await claim(use(), 10)).map((run) => run.id)).toEqual([never.id, later.id]);
  });

  test('what has started once does not expire: not while it runs, and not between its attempts', async () => {
    const { queue } = use();
    const { id } = await queue.enqueue(brief, { n: 1 });
    const [run] = await claim(use(), 1);
    expect(run!.terms).toMatchObject({ expiresAt: expect.any(String) });
    await use().passTime(MINUTE);
    expect(await expire()).toEqual([]);
    await settle(use(), run!, { kind: 'fail', error: someError, abort: null, delayMs: 0 });
    await use().passTime(MINUTE);
    expect(await expire()).toEqual([]);
    const [again] = await claim(use(), 1);
    expect(again).toMatchObject({ id, attempt: 2 });
    expect(again!.terms?.expiresAt).toBeUndefined();
    await settle(use(), again!, { kind: 'snooze', delayMs: 0, maxSnoozes: 5 });
    await use().passTime(MINUTE);
    expect(await expire()).toEqual([]);
    expect(await claim(use(), 1)).toMatchObject([{ id }]);
  });

  test('what a worker gives back before its handler was called expires', async () => {
    const { id } = await use().queue.enqueue(brief, { n: 1 });
    const [run] = await claim(use(), 1);
    await use().passTime(1);
    await settle(use(), run!, { kind: 'release', reason: null, abort: null });
    await use().passTime(MINUTE);
    expect(await claim(use(), 1)).toEqual([]);
    expect(await expire()).toEqual([id]);
  });

  test.each([
    ['expires, where it is set back before its handler was called', false, 0],
    ['does not, where its handler was told to come back later', undefined, 1],
  ])('what has not started in time %s', async (_, hasBegun, claimed) => {
    const { id } = await use().queue.enqueue(brief, { n: 1 });
    const [run] = await claim(use(), 1);
    const back = { kind: 'snooze', delayMs: 0, maxSnoozes: UNCOUNTED_SNOOZES, hasBegun };
    await settle(use(), run!, back);
    await use().passTime(MINUTE);
    expect(await expire()).toEqual(claimed === 0 ? [id] : []);
    expect(await claim(use(), 1)).toHaveLength(claimed);
  });

  test('the type that the contract names is told of it once, with the job’s id, type and payload', async () => {
    const { queue, store } = use();
    await store.prepare(defineCatalog([brief, tooLate]));
    const { id } = await queue.enqueue(brief, { n: 7 });
    await use().passTime(MINUTE);
    expect(await expire()).toEqual([id]);
    const contracts = new Map([[tooLate.type, tooLate]]);
    const { runs } = await store.claim({ queue: 'default', contracts, worker: 'w', limit: 10 });
    expect(runs).toMatchObject([{ type: 'too_late', payload: { jobId: id, type: 'echo', payload: { n: 7 } } }]);
  });

  test('a payload with something sensitive stays out of that', async () => {
    const { queue, store } = use();
    await store.prepare(defineCatalog([secret, tooLate]));
    const { id } = await queue.enqueue(secret, { iban: 'DE02' });
    await use().passTime(MINUTE);
    expect(await expire()).toEqual([id]);
    const contracts = new Map([[tooLate.type, tooLate]]);
    const { runs } = await store.claim({ queue: 'default', contracts, worker: 'w', limit: 10 });
    expect(runs.map((run) => run.payload)).toEqual([{ jobId: id, type: 'secret' }]);
  });

  test('a run expires whether or not somebody can be told', async () => {
    const nobody = defineJob({ type: 'echo', payload, expiresAfter: '1m', onExpired: 'nobody_knows_it' });
    const { id } = await use().queue.enqueue(nobody, { n: 1 });
    await use().passTime(MINUTE);
    expect(await expire()).toEqual([id]);
  });

  test('an expired run that a person retries waits for ever', async () => {
    const { queue } = use();
    const { id } = await queue.enqueue(brief, { n: 1 });
    await use().passTime(MINUTE);
    await expire();
    await queue.retryJob(id);
    expect((await queue.getJob(id)).job).toMatchObject({ status: 'queued', expiresAt: null, cancelReason: null });
    await use().passTime(MINUTE);
    expect(await expire()).toEqual([]);
    expect(await claim(use(), 1)).toMatchObject([{ id }]);
  });

  test('a run that is put off expires later', async () => {
    const { queue } = use();
    const { id } = await queue.enqueue(brief, { n: 1 });
    await queue.updateJob(id, { delay: '1h' });
    const { job } = await queue.getJob(id);
    expect(job.expiresAt!.getTime() - job.runAt.getTime()).toBe(MINUTE);
    await use().passTime(MINUTE);
    expect(await expire()).toEqual([]);
    await use().passTime(MINUTE * 60);
    expect(await expire()).toEqual([id]);
  });

  test('a run tells its worker until when its retries may begin, from when it was due', async () => {
    const { queue } = use();
    const { id, runAt } = await queue.enqueue(patient, { n: 1 });
    const retryUntil = new Date(runAt.getTime() + 10 * MINUTE);
    expect((await queue.getJob(id)).job.retryUntil).toEqual(retryUntil);
    const [run] = await claim(use(), 1);
    expect(new Date(run!.terms!.retryUntil!)).toEqual(retryUntil);
  });

  test('a run whose worker vanished is rescued within its time for retries, and dead after it', async () => {
    const { queue } = use();
    const { id } = await queue.enqueue(patient, { n: 1 });
    await claim(use(), 1);
    expect(await rescueExpired(use())).toMatchObject([{ id, status: 'failed' }]);
    await claim(use(), 1);
    await use().passTime(10 * MINUTE);
    expect(await rescueExpired(use())).toMatchObject([{ id, status: 'dead' }]);
    expect((await queue.getJob(id)).job).toMatchObject({ status: 'dead', errorCode: 'retry_budget_exhausted' });
  });
}
