import type { Clock } from '../../clock.js';
import type { Store } from '../../store/store.js';
import { LeaseBeat } from './beat-leases.js';
import type { LeaseKeeper, LeaseNotice } from './lease-keeper.js';

/** Keeps leases from this thread, through the store: for stores that have no other way, and for tests. */
export function keepLeasesHere(store: Store, clock: Clock, intervalMs: number): LeaseKeeper {
  const stopping = new AbortController();
  let listener: (notice: LeaseNotice) => void = () => {};
  const beat = new LeaseBeat({
    extend: (batch) => store.extendLeases(batch),
    clock,
    intervalMs,
    notify: (notice) => listener(notice),
  });
  return {
    isListening: false,
    async start(_worker, given) {
      listener = given;
      void beat.beatUntil(stopping.signal);
    },
    hold: (lease) => beat.hold(lease),
    letGo: (lease) => beat.letGo(lease),
    async stop() {
      stopping.abort();
    },
  };
}
