import { createPostgresStore, type Queryable } from '@duework/queue-core';
import type { Store } from '@duework/queue-core/ports';

/**
 * A store whose claims, settlements and effects are statements of one transaction that somebody else ends. What a worker
 * does for all others is left out: in here nothing would be committed, and partitions, definitions and the register of
 * workers would be locked until the end.
 *
 * Nobody else sees these runs, so their leases are never lost; and `now()` stands still, so they could not expire.
 * A run is given out only when the one before is settled, because a failed statement of a handler undoes everything
 * since its attempt began.
 */
export function transactionStore(db: Queryable): Store {
  const store = createPostgresStore({ db });
  let isBusy = false;
  return {
    ...store,
    async claim(request) {
      if (isBusy) return { runs: [], dueInMs: 1 };
      isBusy = true;
      const claim = await store.claim({ ...request, limit: 1 });
      isBusy = claim.runs.length > 0;
      return claim;
    },
    async settle(batch) {
      const statuses = await store.settle(batch);
      isBusy = false;
      return statuses;
    },
    extendLeases: async (batch) =>
      batch.map(({ id }) => ({
        id,
        isExtended: true,
        isCancelRequested: false,
        cancelRequestedBy: null,
        cancelReason: null,
      })),
    prepare: async () => [],
    announceContracts: async () => {},
    withdrawContracts: async () => {},
    takeChores: async () => ({ taken: [], nowMs: 0, lost: null }),
    rescue: async () => [],
    expire: async () => ({ expired: [], isAll: true }),
    forgetWorkers: async () => [],
    prune: async () => ({ made: 0, dropped: 0 }),
    lookForAlerts: async () => [],
    alertTold: async () => {},
  };
}
