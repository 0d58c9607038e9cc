import { pause } from '../clock.js';
import type { GatesGiven } from '../ports/upkeep.js';
import type { Engine } from '../worker/engine.js';

/** How soon one looks again what another worker is at, and tries again what has failed. */
const BUSY_MS = 250;
const FAILED_MS = 1_000;
/** How often somebody is told how far it is. */
const TOLD_MS = 10_000;

type Needs = Pick<Engine, 'store' | 'emit' | 'clock' | 'alarm' | 'report' | 'name'>;

/**
 * Gives runs that wait the gates of their contracts' rules, where a deploy has changed those, until all have theirs. When
 * `signal` aborts, another worker goes on from there.
 */
export async function giveGates(engine: Needs, signal: AbortSignal): Promise<void> {
  const { emit, clock, alarm, name: worker } = engine;
  let told = { looked: 0, changed: 0, unusable: 0 };
  let toldMs = clock.monotonicMs();
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const given = await givePortion(engine);
    if (given === null) {
      // the types may be claimed now, which nobody else tells this worker
      if (!isFirst) alarm.ring();
      return;
    }
    if (given === 'failed') {
      await pause(clock, FAILED_MS, signal);
      continue;
    }
    const { types, state } = given;
    told = {
      looked: told.looked + given.looked,
      changed: told.changed + given.changed,
      unusable: told.unusable + given.unusable,
    };
    if (state === 'busy') await pause(clock, BUSY_MS, signal);
    else if (state === 'done' || clock.monotonicMs() >= toldMs + TOLD_MS) {
      emit({ name: 'gates.changed', worker, types, ...told, isAll: state === 'done' });
      toldMs = clock.monotonicMs();
    }
  }
}

async function givePortion({ store, report }: Needs): Promise<GatesGiven | 'failed' | null> {
  try {
    const given = await store.giveGates();
    report.succeeded('gates');
    return given;
  } catch (error) {
    report.failed('gates', error);
    return 'failed';
  }
}
