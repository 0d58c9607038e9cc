import { expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import { charge, echo, testCatalog } from '../fixtures/test-contracts.js';
import { claim, LEASE_MS, lookForLost, rescueExpired, settle, someError, type UseHarness } from './harness.js';

export function rescueCases(use: UseHarness): void {
  test('a run whose worker went away is due again, the attempt charged and on record', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 });
    await claim(use(), 1, 'gone');
    expect(await use().store.rescue(10)).toEqual([]);
    expect(await rescueExpired(use())).toEqual([{ id, type: 'echo', worker: 'gone', attempt: 1, status: 'failed' }]);
    const { job, attempts } = await use().queue.getJob(id);
    expect(job).toMatchObject({
      status: 'failed',
      attempts: 1,
      errorCode: 'worker_lost',
      errorType: 'LeaseExpired',
      failedAt: expect.any(Date),
      worker: null,
      lockedUntil: null,
    });
    expect(attempts).toMatchObject([
      {
        attempt: 1,
        fence: 1,
        outcome: 'lost',
        worker: 'gone',
        errorCode: 'worker_lost',
        errorMessage: job.lastError,
        abortCode: null,
      },
    ]);
    expect(await claim(use(), 1)).toMatchObject([{ id, attempt: 2, fence: 2 }]);
  });

  test('a run whose worker died maxAttempts times is dead, not eternal', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 }, { maxAttempts: 3 });
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await claim(use(), 1)).toMatchObject([{ id, attempt }]);
      expect(await rescueExpired(use())).toMatchObject([{ id, status: attempt < 3 ? 'failed' : 'dead' }]);
      await use().passTime(60_000);
    }
    expect(await claim(use(), 1)).toEqual([]);
    const { job, attempts } = await use().queue.getJob(id);
    expect(job).toMatchObject({ status: 'dead', errorCode: 'worker_lost', attempts: 3, finishedAt: expect.any(Date) });
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(['lost', 'lost', 'lost']);
  });

  test('nothing is retried at once for ever: a run whose worker died is due at once the first time, then after its backoff', async () => {
    await use().store.prepare(testCatalog);
    const { id } = await use().queue.enqueue(charge, { invoice: 1 });
    const waitMs = async (): Promise<number> => {
      expect(await claim(use(), 1)).toMatchObject([{ id }]);
      expect(await rescueExpired(use())).toMatchObject([{ id, status: 'failed' }]);
      const { job } = await use().queue.getJob(id);
      return job.runAt.getTime() - job.failedAt!.getTime();
    };
    expect(await waitMs()).toBe(0);
    for (let death = 2; death <= 3; death++) {
      const ms = await waitMs();
      // the rule of its type, an hour, and its jitter
      expect(ms).toBeGreaterThanOrEqual(0.8 * 3_600_000);
      expect(ms).toBeLessThanOrEqual(1.2 * 3_600_000);
      await use().passTime(ms);
    }
    // a failure of its own has had its backoff, and the next death is not its fault again
    const [run] = await claim(use(), 1);
    await settle(use(), run!, { kind: 'fail', error: someError, delayMs: 0, abort: null });
    expect(await waitMs()).toBe(0);
  });

  test('a run that somebody asked to cancel is cancelled by its rescue', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 }, { maxAttempts: 1 });
    await claim(use(), 1);
    await use().queue.cancelJob(id, { by: 'ada' });
    expect(await rescueExpired(use())).toMatchObject([{ id, status: 'cancelled' }]);
    expect((await use().queue.getJob(id)).job).toMatchObject({
      status: 'cancelled',
      cancelRequestedBy: 'ada',
      errorCode: 'worker_lost',
    });
  });

  test('a check finds whether there is anything to rescue', async () => {
    await use().queue.enqueue(echo, { n: 1 });
    await claim(use(), 1, 'gone');
    const nowMs = expect.any(Number);
    expect(await lookForLost(use())).toEqual({ hasExpired: false, nowMs, missing: [] });
    await use().passTime(LEASE_MS + 1);
    expect(await lookForLost(use())).toEqual({ hasExpired: true, nowMs, missing: [] });
    await use().store.rescue(10);
    expect(await lookForLost(use())).toEqual({ hasExpired: false, nowMs, missing: [] });
  });

  test('a worker that never registered is never missing: its leases decide', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 });
    await claim(use(), 1, 'gone');
    expect(await use().store.rescue(10, { workers: ['gone'] })).toEqual([]);
    expect(await use().store.forgetWorkers(['gone'])).toEqual([]);
    expect((await use().queue.getJob(id)).job).toMatchObject({ status: 'running', worker: 'gone' });
  });

  test('the longest expired come first, no more than the limit, each once', async () => {
    // claimed in the opposite of the order in which they lie in the table
    await use().queue.enqueueMany(
      Array.from({ length: 100 }, (_, n) =>
        jobRequest(echo, { n }, use.can.priorities ? { priority: n < 50 ? 5 : 1 } : {}),
      ),
    );
    const older = await claim(use(), 50);
    await use().passTime(1_000);
    const younger = await claim(use(), 50);
    await use().passTime(LEASE_MS + 1);
    const rescue = async (limit: number): Promise<string[]> =>
      (await use().store.rescue(limit)).map((run) => run.id).sort();
    expect(await rescue(50)).toEqual(older.map((run) => run.id).sort());
    expect(await rescue(100)).toEqual(younger.map((run) => run.id).sort());
    expect(await rescue(100)).toEqual([]);
  });
}
