import { pause } from '../clock.js';
import type { Engine } from '../worker/engine.js';

/** How soon one looks again what another worker is at. */
const BUSY_MS = 250;
/** How often somebody is told how far it is. */
const TOLD_MS = 10_000;

/**
 * Gives runs that wait the gates of their contracts' rules, where a deploy has changed those, until all have theirs. When
 * `signal` aborts, another worker goes on from there.
 */
export async function giveGates(
  { store, emit, clock, alarm, name: worker }: Pick<Engine, 'store' | 'emit' | 'clock' | 'alarm' | 'name'>,
  signal: AbortSignal,
): Promise<void> {
  let told = { looked: 0, changed: 0, unread: 0 };
  let toldMs = clock.monotonicMs();
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const given = await store.giveGates();
    if (given === null) {
      // the types may be claimed now, which nobody else tells this worker
      if (!isFirst) alarm.ring();
      return;
    }
    const { types, state } = given;
    told = {
      looked: told.looked + given.looked,
      changed: told.changed + given.changed,
      unread: told.unread + given.unread,
    };
    if (state === 'busy') await pause(clock, BUSY_MS, signal);
    else if (state === 'done' || clock.monotonicMs() >= toldMs + TOLD_MS) {
      emit({ name: 'gates.changed', worker, types, ...told, isAll: state === 'done' });
      toldMs = clock.monotonicMs();
    }
  }
}
