import type { ClaimedRun, EnqueueOptions, JobRequest } from '@duework/queue-core';
import { createPostgresStore, enqueueMany, registerDefinitions } from '@duework/queue-core';
import { claimRuns } from '@duework/queue-core/internals';
import { emptyTables } from '@duework/testing/fixtures';
import { beforeEach } from '@jest/globals';
import { stepBulkActions } from '../bulk/step-bulk-actions.js';
import { gatedCatalog } from './gated.js';
import { useOperated } from './use-operated.js';

export * from './gated.js';
export { ANA } from './use-operated.js';

/** A database of gated runs, emptied before each test, without workers: the test takes looks and claims itself. */
export function useGated() {
  const operated = useOperated();
  const { db } = operated;
  beforeEach(async () => {
    await emptyTables(db(), 'flow_rules, flow_keys, flow_waits, flow_looks, flow_turns, pauses');
    await registerDefinitions(db(), gatedCatalog);
  });
  const contracts = new Map(gatedCatalog.map((contract) => [contract.type, contract]));
  /** Takes the looks that are due, as a worker does before it claims. */
  const look = async (): Promise<void> => {
    for (let nextMs: number | null = 0; nextMs !== null && nextMs <= 0;) {
      const [row] = await db().$queryRaw<{ next: number | null }[]>`SELECT duework.take_looks(1000) AS next`;
      nextMs = row!.next;
    }
  };
  return {
    ...operated,
    look,
    /** Enqueues, and lets in who may go on. Returns the ids. */
    async add(
      type: (typeof gatedCatalog)[number],
      accounts: readonly number[],
      options: EnqueueOptions = {},
    ): Promise<string[]> {
      const requests = accounts.map(
        (account, n) => ({ contract: type, payload: { n, account }, options }) as unknown as JobRequest,
      );
      const ids = (await enqueueMany(db(), requests)).map(({ id }) => id);
      await look();
      return ids;
    },
    /** Claims what was let in. */
    claim: async (queue = 'default'): Promise<ClaimedRun[]> =>
      (await claimRuns(db(), { queue, contracts, worker: 'tester', limit: 100 })).runs,
    bury: async (runs: readonly ClaimedRun[]): Promise<void> => {
      const error = { code: 'boom', type: 'Error', message: 'boom', stack: null };
      await createPostgresStore({ db: db() }).settle(
        runs.map(({ id, fence, gates }) => ({ id, fence, gates: gates ?? [], kind: 'bury', error, abort: null })),
      );
    },
    step: () => stepBulkActions(db(), gatedCatalog, new AbortController().signal),
    /** The key at which each waits; null: it was let in, or is claimed; undefined: it is not live. */
    heldBy: async (ids: readonly string[]): Promise<(string | null | undefined)[]> => {
      const rows = await db().$queryRaw<{ id: string; held_by: string | null }[]>`
        SELECT id::text AS id, held_by FROM duework.job_runs`;
      return ids.map((id) => rows.find((row) => row.id === id)?.held_by);
    },
  };
}
