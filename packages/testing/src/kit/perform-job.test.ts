import { defineJob, fixed } from '@duework/contracts';
import { bury, complete, retry, snooze } from '@duework/queue-core';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { performJob } from './perform-job.js';

const mail = defineJob({
  type: 'mail',
  version: 2,
  payload: z.object({ to: z.array(z.string()), urgent: z.boolean().default(false) }),
  past: { 1: { payload: z.object({ to: z.string() }), lift: ({ to }) => ({ to: [to] }) } },
  result: z.object({ sent: z.int() }),
  maxAttempts: 3,
  retry: fixed('10m'),
  timeout: '50ms',
  idempotencyKey: ({ to }) => `mail:${to.join()}`,
  errors: { permanent: ['NO_SUCH_USER'] },
});
const ada = { to: ['ada'] };

describe('performJob tells what an attempt leads to', () => {
  test('complete, with its result, after the payload was parsed', async () => {
    const given: unknown[] = [];
    const performed = await performJob(mail, ada, ({ payload, run, attempt }) => {
      given.push(payload, run.idempotencyKey, attempt);
      return complete({ sent: payload.to.length });
    });
    expect(performed).toEqual({ outcome: 'complete', result: { sent: 1 } });
    expect(given).toEqual([{ to: ['ada'], urgent: false }, 'mail:ada', 1]);
  });

  test('nothing returned is complete; of a map the handler of the type is called', async () => {
    expect(await performJob(mail, ada, { mail: () => {} })).toEqual({ outcome: 'complete', result: null });
  });

  test('complete, where the handler completes in its own transaction', async () => {
    const done = performJob(mail, ada, async ({ completeIn }) => completeIn({} as never, { sent: 1 }));
    expect(await done).toEqual({ outcome: 'complete', result: { sent: 1 } });
    const thrown = performJob(mail, ada, async ({ completeIn }) => {
      await completeIn({} as never, { sent: 1 });
      throw new Error('the commit failed');
    });
    expect(await thrown).toMatchObject({ outcome: 'retry' });
  });

  test('retry, as the contract’s policy says, with the error', async () => {
    const thrown = Object.assign(new TypeError('no'), { code: 'E_NO' });
    const performed = await performJob(mail, ada, () => Promise.reject(thrown));
    expect(performed).toMatchObject({ outcome: 'retry', error: { code: 'E_NO', type: 'TypeError', message: 'no' } });
    expect(performed).toMatchObject({ error: { stack: expect.stringContaining('perform-job.test') } });
    const { delayMs } = performed as { delayMs: number };
    expect(delayMs).toBeGreaterThan(400_000);
    expect(await performJob(mail, ada, () => retry('later', { code: 'BUSY' }))).toMatchObject({
      outcome: 'retry',
      error: { code: 'BUSY', message: 'later' },
    });
  });

  test('snooze, once and never again', async () => {
    let calls = 0;
    const performed = await performJob(mail, ada, () => {
      calls++;
      return snooze('0s');
    });
    expect(performed).toMatchObject({ outcome: 'snooze' });
    expect(calls).toBe(1);
  });

  test('bury: asked for, a permanent error, or the last attempt', async () => {
    expect(await performJob(mail, ada, () => bury('GONE', 'nobody'))).toMatchObject({
      outcome: 'bury',
      error: { code: 'GONE' },
    });
    const permanent = Object.assign(new Error('x'), { code: 'NO_SUCH_USER' });
    expect(await performJob(mail, ada, () => Promise.reject(permanent))).toMatchObject({
      outcome: 'bury',
      error: { code: 'NO_SUCH_USER' },
    });
    const seen: number[] = [];
    const last = await performJob(
      mail,
      ada,
      ({ attempt }) => {
        seen.push(attempt);
        throw new Error('x');
      },
      { attempt: 3 },
    );
    expect(last).toMatchObject({ outcome: 'bury', error: { message: 'x' } });
    expect(seen).toEqual([3]);
  });

  test('retry with timeout, where the handler runs for too long and ends on its signal, or ignores it', async () => {
    const ends = performJob(
      mail,
      ada,
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    const ignores = performJob(mail, ada, () => new Promise<void>(() => {}));
    for (const performed of await Promise.all([ends, ignores]))
      expect(performed).toMatchObject({ outcome: 'retry', error: { code: 'timeout' } });
  });
});

describe('performJob', () => {
  test('lifts the payload of an earlier version', async () => {
    const given: unknown[] = [];
    await performJob(mail, { to: 'ada' }, ({ payload }) => void given.push(payload), { version: 1 });
    expect(given).toEqual([{ to: ['ada'], urgent: false }]);
  });

  test('refuses what enqueue refuses, and a version that the contract cannot read', async () => {
    await expect(performJob(mail, { to: 'ada' } as never, () => {})).rejects.toMatchObject({ code: 'invalid_payload' });
    await expect(performJob(mail, { to: ['ada'] }, () => {}, { version: 1 })).rejects.toMatchObject({
      code: 'invalid_payload',
    });
    await expect(performJob(mail, {}, () => {}, { version: 3 })).rejects.toMatchObject({ code: 'unknown_job_version' });
  });

  test('does effects once, and runs the middleware', async () => {
    const done: string[] = [];
    const performed = await performJob(
      mail,
      ada,
      async ({ once }) => {
        for (let time = 0; time < 2; time++) await once('send', ({ key }) => void done.push(key));
      },
      {
        middleware: async (_, next) => {
          done.push('before');
          return next({});
        },
      },
    );
    expect(performed).toMatchObject({ outcome: 'complete' });
    expect(done).toEqual(['before', expect.stringContaining('mail:ada')]);
  });
});
