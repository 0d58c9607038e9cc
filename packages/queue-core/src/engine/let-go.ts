import type { Engine } from './engine.js';
import type { HeldRun } from './held-run.js';

/** Settled, released or lost: the run is no longer this worker's. Nothing happens the second time. */
export function letGo({ held: runs, leases }: Pick<Engine, 'held' | 'leases'>, held: HeldRun): void {
  leases.letGo(held.lease);
  runs.remove(held);
}
