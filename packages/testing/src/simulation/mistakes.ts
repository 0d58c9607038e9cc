import type { MemoryTables } from '../memory/tables/memory-tables.js';
import type { Settlement, Store } from '@duework/queue-core';
import { MISTAKES_IN_WHOLES } from './mistakes-in-wholes.js';
import type { SimulateOptions } from './simulate.js';

type Plant = NonNullable<SimulateOptions['plant']>;

/** Mistakes to plant in the store. The simulation has to find them; otherwise it checks nothing. */
export const MISTAKES: Readonly<Record<string, Plant>> = {
  /** A settlement that checks only the status, and so ends another worker's attempt. */
  'settle-without-fence': (store, tables) => ({
    ...store,
    settle: (batch) => store.settle(batch.map((settlement) => ({ ...settlement, fence: fenceOf(tables, settlement) }))),
  }),
  /** A rescue that takes every running run. */
  'rescue-without-lease': (store, tables) => ({
    ...store,
    takeChores: async (asked) => ({ ...(await store.takeChores(asked)), lost: { hasExpired: true, missing: [] } }),
    rescue: async (limit) => {
      for (const run of tables.running) run.lockedUntilMs = 0;
      return store.rescue(limit);
    },
  }),
  /** A renewal that is acknowledged and not written. */
  'renewal-not-written': (store) => ({
    ...store,
    extendLeases: async (batch) =>
      (await store.extendLeases(batch.map((lease) => ({ ...lease, renew: 'never' as const })))).map((held) => ({
        ...held,
        isExtended: true,
      })),
  }),
  /** Effects that are not written down before they happen. */
  'effects-not-recorded': (store) => ({
    ...store,
    beginEffect: async () => ({ kind: 'begun', isRepeat: false }),
    endEffect: async () => true,
  }),
  /** An effect that a dead worker had begun is silently done again. */
  'effects-repeated': (store) => ({
    ...store,
    beginEffect: (request) => store.beginEffect({ ...request, policy: 'at_least_once' }),
  }),
  /** A claim that returns the last run a second time. */
  'claim-for-two': (store) => {
    let last: Awaited<ReturnType<Store['claim']>>['runs'] = [];
    return {
      ...store,
      claim: async (request) => {
        const { runs, dueInMs } = await store.claim(request);
        const again = last.filter(({ queue }) => queue === request.queue && runs.length === 0);
        last = runs;
        return { runs: [...runs, ...again], dueInMs };
      },
    };
  },
  /** A settlement that gives its slot to the next in line without looking who holds one. */
  'slot-passed-on-unseen': (store, tables) => ({
    ...store,
    settle: (batch) => {
      const settled = store.settle(batch);
      for (const { gates = [] } of batch) {
        const next = [...tables.live.values()].find(
          ({ heldBy, runAtMs }) => heldBy?.startsWith('limit/') && gates.includes(heldBy) && runAtMs <= tables.nowMs(),
        );
        if (next !== undefined) tables.wait(next, next.status as 'queued' | 'failed', tables.nowMs(), null);
      }
      return settled;
    },
  }),
  /** A rescue after which nobody looks at the gates of what it has ended. */
  'rescue-without-gates': (store, tables) => ({
    ...store,
    rescue: (limit, whose) => {
      const held = [...tables.running].map((run) => ({ run, gates: run.gates }));
      for (const { run } of held) Object.assign(run, { gates: null });
      const rescued = store.rescue(limit, whose);
      for (const { run, gates } of held) Object.assign(run, { gates });
      return rescued;
    },
  }),
  /** A failure that lets the next of its order go before its retry. */
  'order-gone-on-failure': (store, tables) => ({
    ...store,
    settle: (batch) => {
      for (const { kind, id, fence } of batch) {
        const run = tables.owned(id, fence);
        const [first = null] = run?.gates ?? [];
        if (kind === 'fail' && first?.startsWith('order/')) run!.heldBy = first;
      }
      return store.settle(batch);
    },
  }),
  ...MISTAKES_IN_WHOLES,
};

function fenceOf(tables: MemoryTables, { id, fence }: Settlement): number {
  return tables.live.get(id)?.fence ?? fence;
}
