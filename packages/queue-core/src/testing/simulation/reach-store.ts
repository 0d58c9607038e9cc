import type { LeaseNotice } from '../../engine/leases/lease-keeper.js';
import type { Store } from '../../store/store.js';
import type { SimulatedWorker } from './make-workload.js';
import { NOTICE_FAULTS } from './plan.js';
import { reach } from './reach.js';
import type { SimulatedProcess } from './simulated-process.js';
import type { World } from './world.js';

/** The store as one process reaches it. `hearsNotices`: what the store tells by itself arrives there, unless it is lost. */
export function reachStore(
  world: World,
  process: SimulatedProcess,
  store: Store,
  { hearsNotices, settleGapMs }: Pick<SimulatedWorker, 'hearsNotices' | 'settleGapMs'>,
): Store {
  const through = <V extends Exclude<keyof Store, 'watch' | 'settleGapMs'>>(verb: V): Store[V] =>
    ((...args: unknown[]) =>
      reach(world, process, verb, args, () =>
        (store[verb] as (...given: unknown[]) => Promise<unknown>)(...args),
      )) as Store[V];
  const watch = (listener: (notice: LeaseNotice) => void): (() => void) =>
    store.watch!((notice) => {
      if (process.isDead || world.faults.at(process.nextPlace('notice'), NOTICE_FAULTS) !== null) return;
      world.time.after(1, () => process.deliver('answer', () => listener(notice)));
    });
  return {
    settleGapMs,
    claim: through('claim'),
    settle: through('settle'),
    extendLeases: through('extendLeases'),
    beginEffect: through('beginEffect'),
    findEffect: through('findEffect'),
    endEffect: through('endEffect'),
    saveProgress: through('saveProgress'),
    completeIn: through('completeIn'),
    isCompleted: through('isCompleted'),
    lookForLost: through('lookForLost'),
    rescue: through('rescue'),
    forgetWorkers: through('forgetWorkers'),
    prepare: through('prepare'),
    retain: through('retain'),
    raiseAlerts: through('raiseAlerts'),
    ...(hearsNotices ? { watch } : {}),
  };
}
