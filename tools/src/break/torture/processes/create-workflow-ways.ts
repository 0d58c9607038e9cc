import { setTimeout as pause } from 'node:timers/promises';
import type { PrismaClient } from '@duework/database';
import { BATCH_MOMENTS, enqueue, enqueueBatch, jobRequest, signal } from '@duework/queue-core';
import type { SeededRandom } from '../../../kit/seeded-random.js';
import * as jobs from '../jobs.js';
import { CHANGED_MIND, type MakeCall } from './create-calls.js';
import type { WeightedWay } from './weighted-way.js';

const PARTS = 24;
const RETRY_MS = 250;
/** A signal is sent so long after its trip has begun: about when that begins to wait, or before or behind it. */
const [SOON_MS, LATE_MS] = [150, 1_000];
/** The caller's transaction stays open for so long behind its signal. */
const SLOW_MS = 100;
const ROLLED_BACK_SHARE = 0.2;

interface WorkflowWaysOptions {
  readonly db: PrismaClient;
  readonly random: SeededRandom;
  readonly call: MakeCall;
  readonly makePayload: () => { readonly n: number; readonly ms: number };
}

/** Trips, to each of which a signal is sent, and batches. */
export function createWorkflowWays({ db, random, call, makePayload }: WorkflowWaysOptions): readonly WeightedWay[] {
  const send = (n: number, amount: number): Promise<unknown> =>
    db.$transaction(async (tx) => {
      // of the caller: so that it is sent once, although the answer may be lost
      await tx.$executeRaw`INSERT INTO torture.signals (n, amount) VALUES (${n}::int, ${amount}::int)`;
      await signal(tx, jobs.paid, { n, amount });
      await pause(random.between(0, SLOW_MS));
      if (amount < 0) throw CHANGED_MIND;
    });
  const pay = async (n: number, amount: number): Promise<void> => {
    if (random.isIn(ROLLED_BACK_SHARE)) await send(n, -amount).catch(() => {});
    for (;;) {
      try {
        await send(n, amount);
        return;
      } catch (error) {
        if (isThere(error)) return;
        await pause(RETRY_MS);
      }
    }
  };
  const trip = async (): Promise<void> => {
    const payload = makePayload();
    const { n } = payload;
    const lateMs = random.isIn(0.5) ? random.between(1, SOON_MS) : random.between(-LATE_MS / 4, LATE_MS);
    const amount = random.between(1, 1_000);
    const begin = (): Promise<void> =>
      call({ way: 'shared', type: jobs.trip.type, n }, () => enqueue(db, jobs.trip, payload));
    if (lateMs > 0) await begin();
    await pause(lateMs);
    await pay(n, amount);
    if (lateMs <= 0) await begin();
  };
  const batch = (): Promise<void> => {
    const payloads = Array.from({ length: PARTS }, makePayload);
    const isKept = !random.isIn(ROLLED_BACK_SHARE);
    const callbacks = BATCH_MOMENTS.map((moment) => [moment, (of: string) => jobRequest(jobs.told, { of, moment })]);
    return call({ way: 'batch', type: jobs.part.type, n: payloads[0]!.n }, () =>
      db.$transaction(async (tx) => {
        const made = await enqueueBatch(tx, {
          jobs: payloads.map((payload) => jobRequest(jobs.part, payload)),
          ...Object.fromEntries(callbacks),
        });
        await tx.$executeRaw`INSERT INTO torture.batches (id) VALUES (${made.id})`;
        if (!isKept) throw CHANGED_MIND;
        return made.jobs[0];
      }),
    );
  };
  return [
    { weight: 5, act: trip },
    { weight: 1, act: batch },
  ];
}

/** The answer to an earlier try was lost, and it had been committed. */
const isThere = (error: unknown): boolean => (error as Error).message.includes('signals_pkey');
