import type { HeldRun } from '../claim/held-run.js';
import { finishRun, type FinishNeeds } from './finish-run.js';

/** Releases a run whose handler was never called, uncharged. */
export function giveBack(engine: FinishNeeds, held: HeldRun): void {
  const { id, fence } = held.run;
  finishRun(engine, held, { id, fence, kind: 'release', reason: null, abort: null }, 0);
}
