import { expect, test } from '@jest/globals';
import { charge, echo } from '../fixtures/test-contracts.js';
import { ARRANGE } from './arrange.js';
import { claim, settle, someError, type UseHarness } from './harness.js';

export function operatorCases(use: UseHarness): void {
  test('a run has the values of its contract, and is due at once on the store’s clock', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 });
    const { job, attempts } = await use().queue.getJob(id);
    expect(job).toEqual({
      id,
      type: 'echo',
      version: 1,
      queue: 'default',
      status: 'queued',
      priority: 5,
      runAt: job.createdAt,
      payload: { n: 1 },
      idempotencyKey: null,
      attempts: 0,
      maxAttempts: 10,
      fence: 0,
      worker: null,
      lockedUntil: null,
      claimedAt: null,
      failedAt: null,
      errorCode: null,
      errorType: null,
      lastError: null,
      cancelRequestedAt: null,
      cancelRequestedBy: null,
      cancelReason: null,
      progress: null,
      result: null,
      createdAt: expect.any(Date),
      finishedAt: null,
      snoozes: 0,
      releases: 0,
      snoozedAt: null,
      acknowledgedAt: null,
      meta: null,
      expiresAt: null,
      retryUntil: null,
      heldBy: null,
      isSuspended: false,
      batch: null,
      gates: [],
    });
    expect(attempts).toEqual([]);
  });

  test('a run that is enqueued without a payload has the one of its contract, and without either there is none', async () => {
    const contract = { ...echo, defaultPayload: { n: 7 } };
    const { id } = await use().queue.enqueue(contract, undefined as never);
    expect((await use().queue.getJob(id)).job.payload).toEqual({ n: 7 });
    await expect(use().queue.enqueue(echo, undefined as never)).rejects.toMatchObject({ code: 'invalid_payload' });
  });

  test('a dead run that is retried has all its attempts again and its fence still', async () => {
    const subject = await ARRANGE.dead(use());
    await use().queue.retryJob(subject.id);
    const { job, attempts } = await use().queue.getJob(subject.id);
    expect(job).toMatchObject({
      status: 'queued',
      attempts: 0,
      fence: 1,
      worker: null,
      errorCode: 'boom',
      lastError: 'it went wrong',
      finishedAt: null,
    });
    expect(attempts).toMatchObject([{ attempt: 1, outcome: 'failed', errorCode: 'boom' }]);
    expect(await claim(use(), 1)).toMatchObject([{ id: subject.id, attempt: 1, fence: 2 }]);
  });

  test('a run that waits for later is due at once, its attempts as they are', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 });
    const [run] = await claim(use(), 1);
    await settle(use(), run!, {
      kind: 'fail',
      error: { code: 'x', type: 'X', message: 'x', stack: null },
      delayMs: 3_600_000,
      abort: null,
    });
    await use().queue.retryJob(id);
    expect((await use().queue.getJob(id)).job).toMatchObject({ status: 'queued', attempts: 1 });
    expect(await claim(use(), 1)).toMatchObject([{ id, attempt: 2 }]);
  });

  test('a waiting run that is cancelled says who, why and when, and never ran', async () => {
    const subject = await ARRANGE.cancelled(use());
    const { job, attempts } = await use().queue.getJob(subject.id);
    expect(job).toMatchObject({
      status: 'cancelled',
      cancelRequestedBy: 'ada',
      cancelReason: 'not needed',
      cancelRequestedAt: expect.any(Date),
      finishedAt: expect.any(Date),
      worker: null,
      attempts: 0,
    });
    expect(attempts).toEqual([]);
  });

  test('a text that is no id of this store is refused', async () => {
    const { getJob, retryJob, cancelJob, acknowledgeJob, freeKey, updateJob } = use().queue;
    const update = (id: string) => updateJob(id, { delay: '1s' });
    expect(use().ids.malformed.length).toBeGreaterThan(0);
    for (const id of use().ids.malformed)
      for (const act of [getJob, retryJob, cancelJob, acknowledgeJob, freeKey, update])
        await expect(act(id)).rejects.toMatchObject({ code: 'invalid_job_id', facts: { id } });
  });

  test('an id that does not exist is not found', async () => {
    const { getJob, retryJob, cancelJob, acknowledgeJob, freeKey, updateJob } = use().queue;
    const update = (id: string) => updateJob(id, { delay: '1s' });
    for (const act of [getJob, retryJob, cancelJob, acknowledgeJob, freeKey, update])
      await expect(act(use().ids.unknown)).rejects.toMatchObject({ code: 'job_not_found' });
  });

  test('a key that an operator frees lets the same business event be enqueued again', async () => {
    const { queue } = use();
    const { id } = await queue.enqueue(charge, { invoice: 1 });
    await expect(queue.freeKey(id)).rejects.toMatchObject({ code: 'transition_not_allowed' });
    const [run] = await claim(use(), 1);
    await settle(use(), run!, { kind: 'bury', error: someError, abort: null });
    expect(await queue.enqueue(charge, { invoice: 1 })).toMatchObject({ id, status: 'dead', isDeduplicated: true });
    expect(await queue.freeKey(id)).toBe(true);
    expect((await queue.getJob(id)).job).toMatchObject({ status: 'dead', acknowledgedAt: expect.any(Date) });
    const again = await queue.enqueue(charge, { invoice: 1 });
    expect(again).toMatchObject({ status: 'queued', isDeduplicated: false });
    expect(again.id).not.toBe(id);
    // it is another run's now
    expect(await queue.freeKey(id)).toBe(false);
    expect(await queue.enqueue(charge, { invoice: 1 })).toMatchObject({ id: again.id, isDeduplicated: true });
    const without = await ARRANGE.cancelled(use());
    expect(await queue.freeKey(without.id)).toBe(false);
  });

  test('a dead run is acknowledged once, and a retry takes that back', async () => {
    const { queue } = use();
    const { id } = await ARRANGE.dead(use());
    await queue.acknowledgeJob(id);
    const { acknowledgedAt } = (await queue.getJob(id)).job;
    expect(acknowledgedAt).toEqual(expect.any(Date));
    await queue.acknowledgeJob(id);
    expect((await queue.getJob(id)).job).toMatchObject({ status: 'dead', acknowledgedAt });
    await queue.retryJob(id);
    expect((await queue.getJob(id)).job.acknowledgedAt).toBeNull();
  });
}
