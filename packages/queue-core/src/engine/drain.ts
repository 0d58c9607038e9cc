import { waitAtMost } from '../clock.js';
import type { Engine } from './engine.js';
import { stopRun } from './held-runs.js';
import { settleHeld } from './start-runs.js';
import { StopReason } from './stop-reason.js';

/** How long the settlements of a stopping worker may take to be written; then their leases run out. */
const SETTLE_MS = 5_000;

/**
 * Empties a worker that has stopped claiming: gives back at once what only waited in its buffer, lets handlers finish
 * until the deadline, then tells them to stop, and releases what still has not ended, uncharged. Returns how many runs
 * went back.
 */
export async function drain(engine: Engine, deadlineMs: number): Promise<number> {
  const { held, clock, graceMs } = engine;
  const buffered = held.takeBuffered();
  const released = buffered.map((heldRun) =>
    settleHeld(engine, heldRun, { id: heldRun.run.id, fence: heldRun.run.fence, kind: 'release', reason: null }, 0),
  );
  await waitAtMost(clock, deadlineMs, emptied(engine));
  const interrupted = held.all().filter((heldRun) => !heldRun.isSettling);
  for (const heldRun of interrupted) stopRun(heldRun, new StopReason('shutting_down', `The worker stopped before this attempt had finished within ${deadlineMs} ms.`));
  // each attempt ends within its grace, with its handler or without it
  await waitAtMost(clock, graceMs + SETTLE_MS, emptied(engine));
  await waitAtMost(clock, SETTLE_MS, Promise.all(released));
  return buffered.length + interrupted.length;
}

async function emptied({ held }: Engine): Promise<void> {
  while (held.size > 0) await held.changed();
}
