import {
  createPostgresStore,
  enqueueMany,
  jobRequest,
  type ClaimedRun,
  type Queryable,
  type Store,
} from '@duework/queue-core';
import { CALLS_OF_MANY, CALLS_OF_ONE, MANY, type CostCase } from './cost-case.js';
import { nextPayload, sendMail } from './contracts.js';

const LEASE_MS = 600_000;
const BATCH = 1_000;
const OTHERS = 8;
const RUNNING_OF_EACH = 100;

async function enqueueDue(db: Queryable, runs: number): Promise<void> {
  for (let left = runs; left > 0; left -= BATCH) {
    const length = Math.min(BATCH, left);
    await enqueueMany(
      db,
      Array.from({ length }, () => jobRequest(sendMail, nextPayload())),
    );
  }
}

/** A claim of a store that has claimed nothing before: it knows no lower bound, so it looks at the whole queue. */
async function claimFirst(db: Queryable, limit: number, worker = 'costs'): Promise<readonly ClaimedRun[]> {
  return claimWith(createPostgresStore({ db }), limit, worker);
}

async function claimWith(store: Store, limit: number, worker: string): Promise<readonly ClaimedRun[]> {
  const leaseMsByType = new Map([[sendMail.type, LEASE_MS]]);
  const { runs } = await store.claim({ queue: 'default', leaseMsByType, worker, limit });
  if (runs.length !== limit) throw new Error(`${runs.length} runs claimed instead of ${limit}.`);
  return runs;
}

const claiming =
  (limit: number, { others = 0 } = {}): CostCase['prepare'] =>
  async ({ client: { db }, other, times }) => {
    await enqueueDue(other.db, others * RUNNING_OF_EACH + times * limit);
    for (let index = 1; index <= others; index++) await claimFirst(other.db, RUNNING_OF_EACH, `other-${index}`);
    return () => claimFirst(db, limit);
  };

const completing =
  (runs: number): CostCase['prepare'] =>
  async ({ client: { db }, other, times }) => {
    await enqueueDue(other.db, times * runs);
    const claims: (readonly ClaimedRun[])[] = [];
    while (claims.length < times) claims.push(await claimFirst(other.db, runs));
    const store = createPostgresStore({ db });
    return async () => {
      const claimed = claims.shift() ?? [];
      const settled = await store.settle(
        claimed.map(({ id, fence }) => ({ kind: 'complete' as const, id, fence, result: null })),
      );
      if (settled.length !== runs || settled.some((status) => status !== 'succeeded'))
        throw new Error(`Not all of ${runs} runs were settled.`);
    };
  };

const working = (name: string, prepare: CostCase['prepare'], more: Partial<CostCase> = {}): CostCase => ({
  name,
  role: 'engine',
  clients: ['prisma', 'pg'],
  beside: 'nothing',
  calls: CALLS_OF_ONE,
  prepare,
  ...more,
});
const many = { calls: CALLS_OF_MANY } as const;
const besideManyRows = { beside: 'many rows', clients: ['pg'] } as const;
const besideOthers = { clients: ['pg'] } as const;

export const workerCases: readonly CostCase[] = [
  working('claim 1 run', claiming(1)),
  working('claim 500 runs', claiming(MANY), many),
  working('complete 1 run', completing(1)),
  working('complete 500 runs', completing(MANY), many),
  working('claim 1 run beside 800 running', claiming(1, { others: OTHERS }), besideOthers),
  working('claim 500 runs beside 800 running', claiming(MANY, { others: OTHERS }), { ...besideOthers, ...many }),
  working('claim 1 run beside many rows', claiming(1), besideManyRows),
  working('claim 500 runs beside many rows', claiming(MANY), { ...besideManyRows, ...many }),
  working('complete 1 run beside many rows', completing(1), besideManyRows),
  working('complete 500 runs beside many rows', completing(MANY), { ...besideManyRows, ...many }),
];
