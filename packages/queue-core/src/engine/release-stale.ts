import type { Engine } from './engine.js';
import { finishRun, type FinishNeeds } from './finish-run.js';

/** Claimed ahead in the expectation of 50 ms, and not started within this: the handlers have become slow. */
const MAX_WAIT_MS = 1_000;

/**
 * Gives back what was claimed ahead and does not get a slot after all, uncharged, for a worker that has one; and claims
 * nothing ahead until the next handler has ended. Looks once a second while something waits.
 */
export function releaseStale(engine: FinishNeeds & Pick<Engine, 'clock'>): void {
  const { held, clock } = engine;
  if (held.bufferedCount === 0 || held.stopWatching !== null) return;
  held.stopWatching = clock.after(MAX_WAIT_MS, () => {
    held.stopWatching = null;
    if (clock.monotonicMs() - held.oldestBufferedMs() < MAX_WAIT_MS) return releaseStale(engine);
    for (const heldRun of held.takeBuffered()) {
      const { id, fence } = heldRun.run;
      finishRun(engine, heldRun, { id, fence, kind: 'release', reason: null, abort: null }, 0);
    }
    held.expectSlowness();
  });
}
