import { expect } from '@jest/globals';
import { DueworkError, type JobStatus, type Verb } from '@duework/queue-core';
import { echo } from '../fixtures/test-contracts.js';
import { claim, rescueExpired, settle, someError, type StoreHarness, type Subject } from './harness.js';

const finish =
  (settlement: object) =>
  async (harness: StoreHarness): Promise<Subject> => {
    const subject = await ARRANGE.running(harness);
    await settle(harness, subject, settlement);
    return subject;
  };

/** A run in each status, brought there by the product's own verbs. */
export const ARRANGE: { readonly [S in JobStatus]: (harness: StoreHarness) => Promise<Subject> } = {
  queued: async ({ queue }) => ({ id: (await queue.enqueue(echo, { n: 1 })).id, fence: 1 }),
  running: async (harness) => {
    const { id } = await harness.queue.enqueue(echo, { n: 1 });
    const [run] = await claim(harness, 1);
    expect(run!.id).toBe(id);
    return { id, fence: run!.fence };
  },
  failed: finish({ kind: 'fail', error: someError, abort: null, delayMs: 0 }),
  succeeded: finish({ kind: 'complete', result: { ok: true } }),
  dead: finish({ kind: 'bury', error: someError, abort: null }),
  cancelled: async (harness) => {
    const subject = await ARRANGE.queued(harness);
    await harness.queue.cancelJob(subject.id, { by: 'ada', reason: 'not needed' });
    return subject;
  },
};

const settles =
  (settlement: object) =>
  async (harness: StoreHarness, subject: Subject): Promise<boolean> =>
    (await settle(harness, subject, settlement)) !== null;

/** Each verb as the engine or an operator uses it; false: it was refused. */
export const ACT: { readonly [V in Verb]: (harness: StoreHarness, subject: Subject) => Promise<boolean> } = {
  claim: async (harness, { id }) => (await claim(harness, 100)).some((run) => run.id === id),
  complete: settles({ kind: 'complete', result: null }),
  fail: settles({ kind: 'fail', error: someError, abort: null, delayMs: 60_000 }),
  bury: settles({ kind: 'bury', error: someError, abort: null }),
  snooze: settles({ kind: 'snooze', delayMs: 60_000, maxSnoozes: 10 }),
  release: settles({ kind: 'release', reason: 'deploy', abort: null }),
  leave: settles({ kind: 'leave', keyId: 'k1', error: someError, delayMs: 60_000 }),
  confirm_cancel: settles({
    kind: 'confirm_cancel',
    by: 'ada',
    reason: 'not needed',
    abort: { code: 'cancelled', stage: 'signalled' },
  }),
  rescue: async (harness, { id }) => (await rescueExpired(harness)).some((run) => run.id === id),
  retry: ({ queue }, { id }) => isAllowed(queue.retryJob(id)),
  cancel: ({ queue }, { id }) => isAllowed(queue.cancelJob(id)),
  acknowledge: ({ queue }, { id }) => isAllowed(queue.acknowledgeJob(id)),
  free_key: ({ queue }, { id }) => isAllowed(queue.freeKey(id)),
  update: ({ queue }, { id }) => isAllowed(queue.updateJob(id, { priority: 5, delay: '1h' })),
};

const REFUSALS = ['transition_not_allowed', 'job_is_running', 'job_is_over'] as const;

async function isAllowed(act: Promise<unknown>): Promise<boolean> {
  try {
    await act;
    return true;
  } catch (refusal) {
    if (REFUSALS.some((code) => DueworkError.is(refusal, code))) return false;
    throw refusal;
  }
}
