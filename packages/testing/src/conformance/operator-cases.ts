import { expect, test } from '@jest/globals';
import { echo } from '../fixtures/test-contracts.js';
import { ARRANGE } from './arrange.js';
import { claim, settle, type UseHarness } from './harness.js';

export function operatorCases(use: UseHarness): void {
  test('a run is what its contract says, due at once on the store’s clock', async () => {
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
    });
    expect(attempts).toEqual([]);
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

  test('what is no id of this store is refused', async () => {
    const { getJob, retryJob, cancelJob } = use().queue;
    expect(use().ids.malformed.length).toBeGreaterThan(0);
    for (const id of use().ids.malformed)
      for (const act of [getJob, retryJob, cancelJob])
        await expect(act(id)).rejects.toMatchObject({ code: 'invalid_job_id', facts: { id } });
  });

  test('an id that does not exist is not found', async () => {
    const { getJob, retryJob, cancelJob } = use().queue;
    for (const act of [getJob, retryJob, cancelJob])
      await expect(act(use().ids.unknown)).rejects.toMatchObject({ code: 'job_not_found' });
  });
}
