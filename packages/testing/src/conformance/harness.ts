import type { JobQueue } from '@duework/queue-core';
import { RESCUE } from '@duework/queue-core/ports';
import type {
  Capabilities,
  ClaimedRun,
  SettledStatus,
  Settlement,
  Store,
  Transaction,
} from '@duework/queue-core/ports';
import { testCatalog } from '../fixtures/test-contracts.js';

/** An empty store, its queue, and control over its time. */
export interface StoreHarness {
  readonly store: Store;
  readonly queue: JobQueue;
  /** What a handler passes to `completeIn`: no transaction, so that each completion takes effect at once. */
  readonly tx: Transaction;
  readonly ids: {
    /** Texts that no id of this store looks like. */
    readonly malformed: readonly string[];
    /** An id that this store could have given, and has not. */
    readonly unknown: string;
  };
  /** Makes the store behave as if that time had gone by: what is due then is due now, what expires then has expired. */
  passTime(ms: number): Promise<void>;
}

/** The harness of the test that runs, and what its store is to declare. */
export interface UseHarness {
  (): StoreHarness;
  readonly can: Capabilities;
}

/** One claim of a run, which every write about it names. */
export interface Subject {
  readonly id: string;
  readonly fence: number;
}

export const LEASE_MS = 2_000;

/** Looks for lost work at once, whoever has done so just now. */
export async function lookForLost({ store }: Pick<StoreHarness, 'store'>) {
  const { lost, nowMs } = await store.takeChores([{ name: RESCUE, everyMs: 0 }]);
  return { ...lost!, nowMs };
}
export const someError = {
  code: 'boom',
  type: 'Error',
  message: 'it went wrong',
  stack: 'Error: it went wrong\n  at …',
};

const contracts = new Map(testCatalog.map((contract) => [contract.type, { ...contract, leaseMs: LEASE_MS }]));

/** Claims up to `limit` runs of the default queue. */
export async function claim(
  { store }: Pick<StoreHarness, 'store'>,
  limit: number,
  worker = 'tester',
): Promise<ClaimedRun[]> {
  return (await store.claim({ queue: 'default', contracts, worker, limit })).runs;
}

/** The status a settlement led to; null: it was lost. */
export async function settle(
  { store }: Pick<StoreHarness, 'store'>,
  { id, fence }: Subject,
  settlement: object,
): Promise<SettledStatus | null> {
  return (await store.settle([{ id, fence, ...settlement } as Settlement]))[0]!;
}

/** Lets every lease run out, and rescues. */
export async function rescueExpired(harness: StoreHarness): Promise<Awaited<ReturnType<Store['rescue']>>> {
  await harness.passTime(LEASE_MS + 1);
  return harness.store.rescue(100);
}

export function numbersOf(runs: readonly { readonly payload: unknown }[]): number[] {
  return runs.map((run) => (run.payload as { n: number }).n);
}
