import type { JobContract } from '@duework/contracts';
import { jobRequest, type EnqueueOptions } from '@duework/queue-core';
import type { ClaimedRun, SettledStatus } from '@duework/queue-core/ports';
import { LEASE_MS, settle, someError, type UseHarness } from '../harness.js';
import { flowCatalog } from './flow-contracts.js';

type Contract = (typeof flowCatalog)[number];
type Payload = { readonly of?: number; readonly cost?: number };

const contracts = new Map<string, JobContract>(
  flowCatalog.map((contract) => [contract.type, { ...contract, leaseMs: LEASE_MS }]),
);

/** What cases about gates do with a store that has prepared for their contracts. */
export function flowHarness(use: UseHarness) {
  const end = (run: ClaimedRun, settlement: object): Promise<SettledStatus | null> =>
    settle(use(), run, { ...(run.gates === null ? {} : { gates: run.gates }), ...settlement });
  return {
    /** Enqueues a run with each of these numbers; answers with their ids. */
    async add(contract: Contract, ns: readonly number[], payload: Payload = {}, options: EnqueueOptions = {}) {
      const requests = ns.map((n) => jobRequest(contract, { of: 0, ...payload, n }, options));
      return (await use().queue.enqueueMany(requests)).map(({ id }) => id);
    },
    /** Claims what may run. */
    async take(limit = 100): Promise<readonly ClaimedRun[]> {
      return (await use().store.claim({ queue: 'default', contracts, worker: 'w', limit })).runs;
    },
    end,
    complete: (run: ClaimedRun) => end(run, { kind: 'complete', result: null }),
    fail: (run: ClaimedRun, delayMs = 60_000) => end(run, { kind: 'fail', error: someError, abort: null, delayMs }),
    bury: (run: ClaimedRun) => end(run, { kind: 'bury', error: someError, abort: null }),
    snooze: (run: ClaimedRun, delayMs: number, more: object = {}) =>
      end(run, { kind: 'snooze', delayMs, maxSnoozes: 10, ...more }),
  };
}
