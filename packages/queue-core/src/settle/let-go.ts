import type { Engine } from '../worker/engine.js';
import type { HeldRun } from '../claim/held-run.js';

/** Lets go of a run that was settled, released or lost. Does nothing the second time. */
export function letGo({ held: runs, leases }: Pick<Engine, 'held' | 'leases'>, held: HeldRun): void {
  leases.letGo(held.lease);
  runs.remove(held);
}
