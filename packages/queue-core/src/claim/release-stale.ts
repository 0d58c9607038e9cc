import type { Engine } from '../worker/engine.js';
import { type FinishNeeds, giveBack } from '../settle/finish-run.js';

/**
 * A run claimed ahead should start within 50 ms; when it has not started within this, the handlers have become slow.
 */
const MAX_WAIT_MS = 1_000;

/**
 * Releases runs that were claimed ahead and get no slot here, uncharged, so that a worker with a free slot gets them;
 * then claims nothing ahead until the next handler has ended. Checks once a second while a run waits.
 */
export function releaseStale(engine: FinishNeeds & Pick<Engine, 'clock'>): void {
  const { held, clock } = engine;
  if (held.waitingSinceMs() === Infinity || held.stopWatching !== null) return;
  held.stopWatching = clock.after(MAX_WAIT_MS, () => {
    held.stopWatching = null;
    if (clock.monotonicMs() - held.waitingSinceMs() < MAX_WAIT_MS) return releaseStale(engine);
    for (const heldRun of held.takeWaiting()) giveBack(engine, heldRun);
    held.expectSlowness();
  });
}
