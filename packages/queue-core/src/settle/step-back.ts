import { UNCOUNTED_SNOOZES } from '../ports/runs.js';
import { finishRun, type FinishNeeds } from './finish-run.js';

/** Gives what was claimed, and not begun, back to gates that are shut now, uncharged. */
export function stepBack(engine: FinishNeeds): void {
  const { held, shutGates } = engine;
  if (shutGates.isEmpty) return;
  for (const heldRun of held.takeBufferedThat(({ run }) => shutGates.isShutFor(run.gates))) {
    const { id, fence } = heldRun.run;
    finishRun(engine, heldRun, { id, fence, kind: 'snooze', delayMs: 0, maxSnoozes: UNCOUNTED_SNOOZES }, 0);
  }
}
