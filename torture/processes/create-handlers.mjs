import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../scripts/lib/paths.mjs';

const { retry, snooze } = await import(join(root, 'packages/queue-core/dist/index.js'));

/** So many first attempts of a flaky job fail. */
const FLAKY_ATTEMPTS = 2;

/**
 * The handlers: each writes down when it starts and ends, and each effect goes into a ledger before anybody else knows of it.
 */
export function createHandlers({ db, version, write, ledger, sampleEvery }) {
  const isLookedAt = (run) => Number(run.id) % sampleEvery === 0;
  const effect = ({ run, payload, fence }, key, isRepeat) =>
    ledger('effect', { run: run.id, type: run.type, n: payload.n, key, fence, isRepeat });

  /** The same around every handler. */
  const watched = (work) => async (context) => {
    const { run, attempt, fence, signal } = context;
    const facts = { run: run.id, type: run.type, n: context.payload.n, attempt, fence };
    if (isLookedAt(run)) write('handler.started', facts);
    try {
      return await work(context);
    } finally {
      if (isLookedAt(run)) write('handler.ended', { ...facts, isAborted: signal.aborted });
    }
  };
  const takeTime = ({ payload, signal }) => pause(payload.ms, undefined, { signal });
  /** Half of the time before the effect and half of it after: a fault can come in between. */
  const sendOnce = async (context) => {
    await takeTime(context);
    await context.once('send', async ({ key, isRepeat }) => {
      await pause(context.payload.ms / 2);
      effect(context, key, isRepeat);
      await pause(context.payload.ms / 2);
    });
  };

  const handlers = {
    plain: watched(takeTime),
    report: watched(async (context) => {
      context.progress({ percent: 50 });
      await takeTime(context);
    }),
    flaky: watched(async (context) => {
      await takeTime(context);
      if (context.attempt <= FLAKY_ATTEMPTS) throw new Error('not yet');
    }),
    patient: watched(async (context) => {
      await takeTime(context);
      return context.fence > 1 ? undefined : snooze('300ms');
    }),
    mail: watched(sendOnce),
    webhook: watched(sendOnce),
    payment: watched(async (context) => {
      await takeTime(context);
      if (context.attempt === 1 && context.payload.n % 20 === 0) return retry('the bank is closed', { delay: '100ms' });
      await db.$transaction(async (tx) => {
        await tx.$executeRaw`INSERT INTO torture.payments (n, run_id) VALUES (${context.payload.n}::int, ${context.run.id}::bigint)`;
        await context.completeIn(tx);
      });
      return undefined;
    }),
    slotted: watched(async () => {}),
    audit: watched(takeTime),
  };
  if (version === 1) delete handlers.audit;
  return handlers;
}
