import { pause } from '../clock.js';
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
  await Promise.race([emptied(engine), pause(clock, deadlineMs)]);
  const interrupted = held.all().filter((heldRun) => !heldRun.isSettling);
  for (const heldRun of interrupted) stopRun(heldRun, new StopReason('shutting_down', `The worker stopped before this attempt had finished within ${deadlineMs} ms.`));
  // each attempt ends within its grace, with its handler or without it
  await Promise.race([emptied(engine), pause(clock, graceMs + SETTLE_MS)]);
  await Promise.race([Promise.all(released), pause(clock, SETTLE_MS)]);
  return buffered.length + interrupted.length;
}

async function emptied({ held }: Engine): Promise<void> {
  while (held.size > 0) await held.changed();
}
