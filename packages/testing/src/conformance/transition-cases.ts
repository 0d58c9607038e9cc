import { describe, expect, test } from '@jest/globals';
import { type Job, STATUSES, TRANSITIONS, type Verb, VERBS } from '@duework/queue-core';
import { ACT, ARRANGE } from './arrange.js';
import { claim, settle, type UseHarness } from './harness.js';

export function transitionCases(use: UseHarness): void {
  describe('every status × every verb', () => {
    for (const status of STATUSES) {
      for (const verb of VERBS) {
        const next = TRANSITIONS[status][verb];
        const promise =
          next === undefined ? 'is refused and changes nothing' : `→ ${typeof next === 'string' ? next : next[0]}`;
        test(`${status} × ${verb} ${promise}`, async () => {
          const { queue } = use();
          const subject = await ARRANGE[status](use());
          const before = await queue.getJob(subject.id);
          expect(before.job.status).toBe(status);
          const isDone = await ACT[verb](use(), subject);
          const after = await queue.getJob(subject.id);
          if (next === undefined) {
            const seen = verb === 'rescue' ? withoutTimes : (job: Job): object => job;
            expect({ isDone, job: seen(after.job), attempts: after.attempts.length }).toEqual({
              isDone: false,
              job: seen(before.job),
              attempts: before.attempts.length,
            });
          } else
            expect({ isDone, status: after.job.status }).toEqual({
              isDone: true,
              status: typeof next === 'string' ? next : next[0],
            });
          // whatever happened, nothing lowers the fence
          expect(after.job.fence).toBeGreaterThanOrEqual(before.job.fence);
        });
      }
    }
  });

  describe('a request to cancel that comes while a run is running', () => {
    test.each<[Verb]>([['fail'], ['snooze'], ['release'], ['leave'], ['rescue']])(
      '%s ends it as cancelled, with who and why',
      async (verb) => {
        const { queue } = use();
        const subject = await ARRANGE.running(use());
        expect(await queue.cancelJob(subject.id, { by: 'ada', reason: 'wrong order' })).toBe('requested');
        expect(await ACT[verb](use(), subject)).toBe(true);
        const { job, attempts } = await queue.getJob(subject.id);
        expect(job).toMatchObject({
          status: 'cancelled',
          cancelRequestedBy: 'ada',
          cancelReason: 'wrong order',
          attempts: 1,
          worker: 'tester',
          lockedUntil: null,
          finishedAt: expect.any(Date),
        });
        expect(attempts).toMatchObject([{ attempt: 1, outcome: verb === 'rescue' ? 'lost' : 'cancelled' }]);
      },
    );

    test('is too late for a handler that has completed', async () => {
      const subject = await ARRANGE.running(use());
      await use().queue.cancelJob(subject.id);
      expect(await settle(use(), subject, { kind: 'complete', result: null })).toBe('succeeded');
      expect((await use().queue.getJob(subject.id)).job).toMatchObject({
        status: 'succeeded',
        cancelRequestedAt: expect.any(Date),
      });
    });

    test('keeps who and why of the first request when it comes twice', async () => {
      const { queue } = use();
      const subject = await ARRANGE.running(use());
      await queue.cancelJob(subject.id, { by: 'ada', reason: 'first' });
      await queue.cancelJob(subject.id, { by: 'bob', reason: 'second' });
      expect((await queue.getJob(subject.id)).job).toMatchObject({
        status: 'running',
        cancelRequestedBy: 'ada',
        cancelReason: 'first',
      });
      // and the worker's own words change them no more
      await settle(use(), subject, { kind: 'confirm_cancel', by: 'worker', reason: 'third', abort: null });
      expect((await queue.getJob(subject.id)).job).toMatchObject({
        status: 'cancelled',
        cancelRequestedBy: 'ada',
        cancelReason: 'first',
      });
    });

    test('is forgotten when an operator brings the run back', async () => {
      const { queue } = use();
      const subject = await ARRANGE.cancelled(use());
      await queue.retryJob(subject.id);
      const [run] = await claim(use(), 1);
      expect(await settle(use(), run!, { kind: 'snooze', delayMs: 1 })).toBe('queued');
      expect((await queue.getJob(subject.id)).job).toMatchObject({
        cancelRequestedAt: null,
        cancelRequestedBy: null,
        cancelReason: null,
      });
    });
  });
}

/** Where time goes by because what is stored is moved, its moments move. */
function withoutTimes(job: Job): object {
  return Object.fromEntries(Object.entries(job).filter(([, value]) => !(value instanceof Date)));
}
