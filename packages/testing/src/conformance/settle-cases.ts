import { describe, expect, test } from '@jest/globals';
import { jobRequest } from '@duework/queue-core';
import { UNCOUNTED_SNOOZES } from '@duework/queue-core/ports';
import { charge, echo } from '../fixtures/test-contracts.js';
import { ARRANGE } from './arrange.js';
import { claim, rescueExpired, settle, someError, type Subject, type UseHarness } from './harness.js';

export function settleCases(use: UseHarness): void {
  const look = async ({ id }: Pick<Subject, 'id'>) => use().queue.getJob(id);

  test('a success keeps its result, and the error of the attempt before it', async () => {
    const subject = await ARRANGE.failed(use());
    const [run] = await claim(use(), 1);
    expect(await settle(use(), run!, { kind: 'complete', result: { sum: 42, of: ['a', null] } })).toBe('succeeded');
    expect((await look(subject)).job).toMatchObject({
      status: 'succeeded',
      result: { sum: 42, of: ['a', null] },
      attempts: 2,
      worker: 'tester',
      lockedUntil: null,
      errorCode: 'boom',
      lastError: 'it went wrong',
      finishedAt: expect.any(Date),
    });
  });

  test('a failure is due after its delay, on the store’s clock, and on record', async () => {
    const subject = await ARRANGE.running(use());
    expect(
      await settle(use(), subject, {
        kind: 'fail',
        error: someError,
        delayMs: 7_200_000,
        abort: { code: 'timeout', stage: 'lease_revoked' },
      }),
    ).toBe('failed');
    const { job, attempts } = await look(subject);
    expect(job).toMatchObject({
      status: 'failed',
      attempts: 1,
      worker: null,
      lockedUntil: null,
      errorCode: 'boom',
      errorType: 'Error',
      lastError: 'it went wrong',
      finishedAt: null,
    });
    expect(job.runAt.getTime() - job.failedAt!.getTime()).toBe(7_200_000);
    expect(attempts).toMatchObject([
      {
        attempt: 1,
        fence: 1,
        outcome: 'failed',
        worker: 'tester',
        errorCode: 'boom',
        errorType: 'Error',
        errorMessage: 'it went wrong',
        errorStack: someError.stack,
        abortCode: 'timeout',
        abortStage: 'lease_revoked',
      },
    ]);
  });

  test('a buried run has its reason, and the attempt that ended it', async () => {
    const subject = await ARRANGE.dead(use());
    const { job, attempts } = await look(subject);
    expect(job).toMatchObject({
      status: 'dead',
      attempts: 1,
      errorCode: 'boom',
      failedAt: expect.any(Date),
      finishedAt: expect.any(Date),
      result: null,
    });
    expect(attempts).toMatchObject([{ attempt: 1, outcome: 'failed', abortCode: null, abortStage: null }]);
  });

  test('a snooze gives its attempt back and leaves no attempt', async () => {
    const subject = await ARRANGE.running(use());
    expect(await settle(use(), subject, { kind: 'snooze', delayMs: 60_000, maxSnoozes: 1 })).toBe('queued');
    const { job, attempts } = await look(subject);
    expect(job).toMatchObject({
      status: 'queued',
      attempts: 0,
      fence: 1,
      worker: null,
      lockedUntil: null,
      lastError: null,
    });
    expect(job.runAt.getTime() - job.claimedAt!.getTime()).toBeGreaterThanOrEqual(60_000);
    expect(attempts).toEqual([]);
  });

  test('a snooze is counted, has a limit and leaves a trace', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 });
    const snoozeOnce = async (maxSnoozes: number) => {
      const [run] = await claim(use(), 1);
      return settle(use(), run!, { kind: 'snooze', delayMs: 0, maxSnoozes });
    };
    expect((await use().queue.getJob(id)).job).toMatchObject({ snoozes: 0, snoozedAt: null });
    expect([await snoozeOnce(2), await snoozeOnce(2)]).toEqual(['queued', 'queued']);
    const { job: snoozed, attempts: none } = await use().queue.getJob(id);
    expect(snoozed).toMatchObject({ status: 'queued', attempts: 0, snoozes: 2, snoozedAt: expect.any(Date) });
    expect(none).toEqual([]);
    expect(await snoozeOnce(2)).toBe('dead');
    const { job, attempts } = await use().queue.getJob(id);
    expect(job).toMatchObject({ status: 'dead', errorCode: 'too_many_snoozes', attempts: 1, snoozes: 2 });
    expect(job.snoozedAt).toEqual(snoozed.snoozedAt);
    expect(attempts).toMatchObject([{ attempt: 1, outcome: 'failed', errorCode: 'too_many_snoozes' }]);
    // who is brought back may snooze again
    await use().queue.retryJob(id);
    expect(await snoozeOnce(1)).toBe('queued');
    expect((await use().queue.getJob(id)).job).toMatchObject({ snoozes: 1 });
  });

  test('a snooze that its handler did not ask for is not counted', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 });
    for (const maxSnoozes of [UNCOUNTED_SNOOZES, UNCOUNTED_SNOOZES, 1]) {
      const [run] = await claim(use(), 1);
      expect(await settle(use(), run!, { kind: 'snooze', delayMs: 0, maxSnoozes })).toBe('queued');
    }
    expect((await use().queue.getJob(id)).job).toMatchObject({ snoozes: 1, snoozedAt: expect.any(Date) });
  });

  test('a contract that allows no snooze makes the first one dead, and a request to cancel comes before that', async () => {
    const spent = { kind: 'snooze', delayMs: 0, maxSnoozes: 0 };
    expect(await settle(use(), await ARRANGE.running(use()), spent)).toBe('dead');
    const asked = await ARRANGE.running(use());
    await use().queue.cancelJob(asked.id);
    expect(await settle(use(), asked, spent)).toBe('cancelled');
  });

  test.each([
    [null, 'released before its handler began', 0],
    ['a deploy', 'a deploy', 1],
  ])(
    'a released run (%j) gets its attempt back, is due at once, and is on record',
    async (reason, message, releases) => {
      const subject = await ARRANGE.running(use());
      expect(
        await settle(use(), subject, { kind: 'release', reason, abort: { code: 'shutting_down', stage: 'signalled' } }),
      ).toBe('queued');
      const { job, attempts } = await look(subject);
      expect(job).toMatchObject({ status: 'queued', attempts: 0, fence: 1, worker: null, lastError: null, releases });
      expect(attempts).toMatchObject([
        {
          attempt: 1,
          outcome: 'interrupted',
          errorCode: 'released',
          errorMessage: message,
          abortCode: 'shutting_down',
          abortStage: 'signalled',
        },
      ]);
      expect(await claim(use(), 1)).toMatchObject([{ id: subject.id, attempt: 1, fence: 2 }]);
    },
  );

  test('a run that is left gets its attempt back, is due after the delay, and says why it waits, as often as it takes', async () => {
    const subject = await ARRANGE.running(use());
    const error = { code: 'key_missing', type: 'KeyMissing', message: 'k2 is missing', stack: null };
    const leave = (delayMs: number, { id, fence }: Subject) =>
      settle(use(), { id, fence }, { kind: 'leave', keyId: 'k2', error, delayMs });
    expect(await leave(0, subject)).toBe('queued');
    const [again] = await claim(use(), 1);
    expect(await leave(60_000, again!)).toBe('queued');
    const { job, attempts } = await look(subject);
    expect(job).toMatchObject({
      status: 'queued',
      attempts: 0,
      fence: 2,
      snoozes: 0,
      worker: null,
      lockedUntil: null,
      errorCode: 'key_missing',
      lastError: 'k2 is missing',
    });
    expect(job.runAt.getTime() - job.claimedAt!.getTime()).toBeGreaterThanOrEqual(60_000);
    expect(attempts).toEqual([]);
  });

  test('a worker that cancels a run by itself writes who and why', async () => {
    const subject = await ARRANGE.running(use());
    expect(
      await settle(use(), subject, {
        kind: 'confirm_cancel',
        by: 'shutdown',
        reason: 'it may be dropped',
        abort: { code: 'shutting_down', stage: 'killed' },
      }),
    ).toBe('cancelled');
    const { job, attempts } = await look(subject);
    expect(job).toMatchObject({
      status: 'cancelled',
      attempts: 1,
      cancelRequestedBy: 'shutdown',
      cancelReason: 'it may be dropped',
      cancelRequestedAt: expect.any(Date),
    });
    expect(attempts).toMatchObject([
      {
        outcome: 'cancelled',
        errorCode: null,
        errorMessage: 'it may be dropped',
        abortCode: 'shutting_down',
        abortStage: 'killed',
      },
    ]);
  });

  test('a run that has spent its attempts cannot wait for another, and nothing of its batch is written', async () => {
    await use().queue.enqueueMany([jobRequest(echo, { n: 1 }), jobRequest(echo, { n: 2 }, { maxAttempts: 1 })]);
    const runs = await claim(use(), 2);
    await expect(
      use().store.settle(
        runs.map(({ id, fence }) => ({ kind: 'fail', id, fence, error: someError, delayMs: 1, abort: null })),
      ),
    ).rejects.toThrow(/attempt|job_runs_state_check/);
    for (const run of runs) expect((await look(run)).job.status).toBe('running');
  });

  test('the history of attempts is in their order, across retries and an operator’s help', async () => {
    const { id } = await use().queue.enqueue(echo, { n: 1 }, { maxAttempts: 2 });
    const take = async (): Promise<Subject> => (await claim(use(), 1))[0]!;
    await settle(use(), await take(), { kind: 'fail', error: someError, delayMs: 0, abort: null });
    await settle(use(), await take(), { kind: 'release', reason: 'deploy', abort: null });
    await take();
    expect(await rescueExpired(use())).toMatchObject([{ id, status: 'dead', attempt: 2 }]);
    await use().queue.retryJob(id);
    await settle(use(), await take(), { kind: 'bury', error: { ...someError, code: 'again' }, abort: null });
    const { attempts } = await look({ id });
    expect(attempts.map(({ fence, attempt, outcome, errorCode }) => [fence, attempt, outcome, errorCode])).toEqual([
      [1, 1, 'failed', 'boom'],
      [2, 2, 'interrupted', 'released'],
      [3, 2, 'lost', 'worker_lost'],
      [4, 1, 'failed', 'again'],
    ]);
  });

  describe('the progress of a run', () => {
    test('is kept through its retries and after its end', async () => {
      const subject = await ARRANGE.running(use());
      expect(await use().store.saveProgress(subject.id, subject.fence, '{"done":1}')).toBe(true);
      expect((await look(subject)).job.progress).toEqual({ done: 1 });
      await settle(use(), subject, { kind: 'fail', error: someError, delayMs: 0, abort: null });
      expect((await look(subject)).job.progress).toEqual({ done: 1 });
      const [again] = await claim(use(), 1);
      expect(await use().store.saveProgress(subject.id, subject.fence, '{"done":"late"}')).toBe(false);
      await settle(use(), again!, { kind: 'complete', result: null });
      expect((await look(subject)).job.progress).toEqual({ done: 1 });
      expect(await use().store.saveProgress(again!.id, again!.fence, '1')).toBe(false);
    });
  });

  test('only the claim that has succeeded is completed', async () => {
    const { id, fence } = await ARRANGE.running(use());
    expect(await use().store.isCompleted(id, fence)).toBe(false);
    await settle(use(), { id, fence }, { kind: 'complete', result: null });
    expect(await use().store.isCompleted(id, fence)).toBe(true);
    expect(await use().store.isCompleted(id, fence + 1)).toBe(false);
    const dead = await ARRANGE.dead(use());
    expect(await use().store.isCompleted(dead.id, dead.fence)).toBe(false);
  });

  test('a batch settles each run by itself, and an empty batch none', async () => {
    await use().queue.enqueueMany([jobRequest(echo, { n: 1 }), jobRequest(charge, { invoice: 1 })]);
    const runs = await claim(use(), 2);
    expect(
      await use().store.settle(runs.map(({ id, fence }) => ({ kind: 'snooze', id, fence, delayMs: 1, maxSnoozes: 1 }))),
    ).toEqual(['queued', 'queued']);
    expect(await use().store.settle([])).toEqual([]);
  });
}
