import {
  createPostgresStore,
  enqueueMany,
  jobRequest,
  type ClaimedRun,
  type Queryable,
  type Store,
} from '@duework/queue-core';
import { nextPayload, sendMail } from './contracts.js';

const WORKER = 'costs';
const LEASE_MS = 600_000;
const BATCH = 1_000;
const RUNNING_OF_EACH = 100;

/** Enqueues runs that are due: now, or since a moment. */
export async function enqueueDue(db: Queryable, runs: number, options: { readonly runAt?: Date } = {}): Promise<void> {
  for (let left = runs; left > 0; left -= BATCH) {
    const length = Math.min(BATCH, left);
    await enqueueMany(
      db,
      Array.from({ length }, () => jobRequest(sendMail, nextPayload(), options)),
    );
  }
}

/** A claim of a store that has claimed nothing before: it knows no lower bound, so it looks at the whole queue. */
export async function claimFirst(db: Queryable, limit: number, worker = WORKER): Promise<readonly ClaimedRun[]> {
  return claimWith(createPostgresStore({ db }), limit, worker);
}

/** A claim of a store; throws where it gets fewer than it asks for. */
export async function claimWith(store: Store, limit: number, worker = WORKER): Promise<readonly ClaimedRun[]> {
  const contracts = new Map([[sendMail.type, { ...sendMail, leaseMs: LEASE_MS }]]);
  const { runs } = await store.claim({ queue: 'default', contracts, worker, limit });
  if (runs.length !== limit) throw new Error(`${runs.length} runs claimed instead of ${limit}.`);
  return runs;
}

/** Claims a hundred runs for each of so many other workers, which go on running. */
export async function claimForOthers(db: Queryable, others: number): Promise<void> {
  await enqueueDue(db, others * RUNNING_OF_EACH);
  for (let index = 1; index <= others; index++) await claimFirst(db, RUNNING_OF_EACH, `other-${index}`);
}
