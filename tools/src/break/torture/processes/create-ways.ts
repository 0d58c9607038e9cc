import { setTimeout as pause } from 'node:timers/promises';
import type { PrismaClient } from '@duework/database';
import { type EnqueuedJob, enqueue, enqueueMany, jobRequest, type JobRequest, openQueue } from '@duework/queue-core';
import type { SeededRandom } from '../../../kit/seeded-random.js';
import * as jobs from '../jobs.js';
import { CHANGED_MIND, type MakeCall } from './create-calls.js';
import { createWorkflowWays } from './create-workflow-ways.js';
import type { WeightedWay } from './weighted-way.js';

const MANY = 5;
const RETRY_MS = 250;
const SLOW_MS = 100;
const ROLLED_BACK_SHARE = 0.1;

export interface WaysOptions {
  readonly db: PrismaClient;
  readonly random: SeededRandom;
  readonly call: MakeCall;
  /** The number of the first call. */
  readonly firstN: number;
}

interface LinedPayload {
  readonly n: number;
  readonly ms: number;
  readonly account: number;
  readonly pages: number;
}

/**
 * Every way to enqueue that the product has: with a key, in the caller's transaction, through the shared queue, many at
 * once.
 */
export function createWays({ db, random, call, firstN }: WaysOptions): readonly WeightedWay[] {
  const queue = openQueue(db);
  let n = firstN;
  const makePayload = (ms = random.between(0, 60)): { n: number; ms: number } => ({ n: ++n, ms });

  const keyed = (): Promise<void> => {
    const contract = random.pick([jobs.mail, jobs.webhook]);
    const payload = makePayload();
    const about = { way: 'keyed', type: contract.type, n: payload.n } as const;
    return call(about, () => enqueue(db, contract, payload), { isAgain: true });
  };
  const transaction = (): Promise<void> => {
    const payload = makePayload();
    const isKept = !random.isIn(ROLLED_BACK_SHARE);
    return call({ way: 'transaction', type: jobs.payment.type, n: payload.n }, () =>
      db.$transaction(async (tx) => {
        await tx.$executeRaw`INSERT INTO torture.orders (n) VALUES (${payload.n}::int)`;
        const job = await enqueue(tx, jobs.payment, payload);
        if (!isKept) throw CHANGED_MIND;
        return job;
      }),
    );
  };
  const shared = (): Promise<void> => {
    const contract = random.pick([jobs.plain, jobs.flaky, jobs.patient]);
    const payload = makePayload();
    return call({ way: 'shared', type: contract.type, n: payload.n }, () => queue.enqueue(contract, payload));
  };
  const many = (): Promise<unknown> => {
    const payloads = Array.from({ length: MANY }, () => makePayload());
    const sent = enqueueManyAgain(
      db,
      payloads.map((payload) => jobRequest(jobs.mail, payload)),
    );
    return Promise.all(
      payloads.map(({ n: number }, index) =>
        call({ way: 'many', type: jobs.mail.type, n: number }, async () => (await sent)[index]),
      ),
    );
  };
  const audit = (): Promise<void> => {
    const payload = makePayload();
    return call({ way: 'shared', type: jobs.audit.type, n: payload.n }, () => queue.enqueue(jobs.audit, payload));
  };
  const moved = (): Promise<void> => {
    const { n: number, ms } = makePayload();
    const isNew = random.isIn(0.5);
    return call({ way: 'shared', type: jobs.newMoved.type, n: number }, () =>
      isNew
        ? queue.enqueue(jobs.newMoved, { n: number, takes: { ms } })
        : queue.enqueue(jobs.oldMoved, { n: number, ms }),
    );
  };
  const report = (): Promise<void> => {
    const payload = makePayload(random.between(3_000, 8_000));
    const about = { way: 'report', type: jobs.report.type, n: payload.n } as const;
    const options = { idempotencyKey: `report:${payload.n}` };
    return call(about, () => enqueue(db, jobs.report, payload, options), { isAgain: true });
  };

  const inLine = (account: number, pages = random.between(1, 5)): LinedPayload => ({
    ...makePayload(),
    account,
    pages,
  });
  const account = (): number => random.between(1, random.isIn(0.5) ? jobs.BUSY_ACCOUNTS : jobs.ACCOUNTS);
  const lined = (): Promise<void> => {
    const contract = random.pick(jobs.gated);
    const payload = inLine(account());
    return call({ way: 'shared', type: contract.type, n: payload.n }, () => queue.enqueue(contract, payload));
  };
  /** The caller's transaction stays open for a while behind its enqueue. */
  const linedSlowly = (): Promise<void> => {
    const contract = random.pick(jobs.gated);
    const payload = inLine(account());
    return call({ way: 'shared', type: contract.type, n: payload.n }, () =>
      db.$transaction(async (tx) => {
        const job = await enqueue(tx, contract, payload);
        await pause(random.between(0, SLOW_MS));
        if (random.isIn(ROLLED_BACK_SHARE)) throw CHANGED_MIND;
        return job;
      }),
    );
  };
  /** All of one account, so that they stand in each other's way. */
  const manyLined = (): Promise<unknown> => {
    const contract = random.pick(jobs.gated);
    const of = account();
    const payloads = Array.from({ length: MANY }, () => inLine(of));
    const sent = enqueueManyAgain(
      db,
      payloads.map((payload) => jobRequest(contract, payload, { idempotencyKey: `lined:${payload.n}` })),
    );
    return Promise.all(
      payloads.map(({ n: number }, index) =>
        call({ way: 'many', type: contract.type, n: number }, async () => (await sent)[index]),
      ),
    );
  };

  return [
    ...createWorkflowWays({ db, random, call, makePayload }),
    { weight: 10, act: lined },
    { weight: 2, act: linedSlowly },
    { weight: 3, act: manyLined },
    { weight: 40, act: keyed },
    { weight: 25, act: transaction },
    { weight: 12, act: shared },
    { weight: 5, act: many },
    { weight: 7, act: audit },
    { weight: 8, act: moved },
    { weight: 3, act: report },
  ];
}

/** Repeated until it is answered, because every job has a key. */
async function enqueueManyAgain(db: PrismaClient, requests: readonly JobRequest[]): Promise<EnqueuedJob[]> {
  for (;;) {
    try {
      return await enqueueMany(db, requests);
    } catch {
      await pause(RETRY_MS);
    }
  }
}
