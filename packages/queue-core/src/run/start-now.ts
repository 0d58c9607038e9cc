import { releaseStale } from '../claim/release-stale.js';
import type { Engine } from '../worker/engine.js';
import { startRuns } from './start-runs.js';

/** Starts what there are slots for, and has the rest given back where it gets none in time. */
export function startNow(engine: Engine): void {
  startRuns(engine);
  releaseStale(engine);
}
