import { setTimeout as pause } from 'node:timers/promises';
import { type ClaimedRun, type Handlers, type JobContext, retry, snooze } from '@duework/queue-core';
import type { PrismaClient } from '@duework/database';
import type { mail, newCatalog, oldCatalog, webhook } from '../jobs.js';
import { createWorkflowHandlers } from './create-workflow-handlers.js';
import type { EffectHolder } from './hold-effects.js';
import type { WriteEvent, WriteLine } from './open-history.js';

/** The number of first attempts at which a flaky job fails. */
const FLAKY_ATTEMPTS = 2;
/** Of so many runs with gates one fails at first, and one snoozes. */
const TURNS = 10;

export interface HandlersOptions {
  readonly db: PrismaClient;
  readonly write: WriteEvent;
  /** The record of effects that have happened outside of the system. */
  readonly ledger: WriteLine;
  readonly holder: EffectHolder;
  readonly isLookedAt: (run: string) => boolean;
}

interface Paced {
  readonly payload: { readonly ms: number };
  readonly signal: AbortSignal;
}
const takeTime = ({ payload, signal }: Paced): Promise<void> => pause(payload.ms, undefined, { signal });

/**
 * The handlers: each writes down when it starts and ends, and each effect goes into a ledger before any other process
 * knows of it.
 */
export function createHandlers({ db, write, ledger, holder, isLookedAt }: HandlersOptions): {
  readonly old: Handlers<typeof oldCatalog>;
  readonly today: Handlers<typeof newCatalog>;
} {
  interface Watched {
    readonly run: ClaimedRun;
    readonly payload: object;
    readonly attempt: number;
    readonly fence: number;
    readonly signal: AbortSignal;
  }
  /** Wraps every handler in the same way. */
  const watched =
    <C extends Watched, R>(work: (context: C) => R | Promise<R>) =>
    async (context: C): Promise<R> => {
      const { run, payload, attempt, fence, signal } = context;
      const n = 'n' in payload ? (payload.n as number) : undefined;
      const facts = { run: run.id, type: run.type, n, attempt, fence };
      if (isLookedAt(run.id)) write('handler.started', facts);
      try {
        return await work(context);
      } finally {
        if (isLookedAt(run.id)) write('handler.ended', { ...facts, isAborted: signal.aborted });
      }
    };
  /** Half of the time is spent before the effect and half after it, so that a fault can come in between. */
  const sendOnce = async (context: JobContext<typeof mail> | JobContext<typeof webhook>): Promise<void> => {
    const { run, payload, fence } = context;
    const about = { run: run.id, type: run.type, fence };
    await takeTime(context);
    await context.once('send', async ({ key, isRepeat }) => {
      if (isLookedAt(run.id)) write('effect.begun', { ...about, key, isRepeat });
      await holder.pass('effect.entered', about);
      await pause(payload.ms / 2);
      ledger('effect', { ...about, n: payload.n, key, isRepeat });
      await holder.pass('effect.applied', about);
      await pause(payload.ms / 2);
    });
  };

  /** Some have to wait for a second turn, in each of the ways in which that happens. */
  const takeTurn = async (context: Paced & { readonly payload: { readonly n: number }; readonly fence: number }) => {
    await takeTime(context);
    if (context.fence > 1) return undefined;
    const place = context.payload.n % TURNS;
    if (place === 0) throw new Error('not yet');
    return place === 1 ? snooze('50ms') : undefined;
  };

  const workflows = createWorkflowHandlers(db);
  const unchanged: Omit<Handlers<typeof oldCatalog>, 'moved'> = {
    plain: watched((context) => takeTime(context)),
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
      const { run, payload, attempt } = context;
      if (attempt === 1 && payload.n % 20 === 0) return retry('the bank is closed', { delay: '100ms' });
      await db.$transaction(async (tx) => {
        await tx.$executeRaw`INSERT INTO torture.payments (n, run_id) VALUES (${payload.n}::int, ${run.id}::bigint)`;
        await context.completeIn(tx);
      });
      return undefined;
    }),
    slotted: watched(async () => {}),
    lone: watched((context) => takeTurn(context)),
    few: watched((context) => takeTurn(context)),
    hundred: watched((context) => takeTurn(context)),
    step: watched((context) => takeTurn(context)),
    metered: watched((context) => takeTurn(context)),
    trip: watched(workflows.trip),
    packing: watched(workflows.packing),
    part: watched(workflows.part),
    told: watched(workflows.told),
  };
  return {
    old: { ...unchanged, moved: watched((context) => takeTime(context)) },
    today: {
      ...unchanged,
      moved: watched(({ payload, signal }) => takeTime({ payload: payload.takes, signal })),
      audit: watched((context) => takeTime(context)),
    },
  };
}
