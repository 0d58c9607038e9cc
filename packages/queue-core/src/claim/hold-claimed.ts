import { holdLease, loseLease } from '../leases/hold-lease.js';
import type { ClaimedRun } from '../ports/runs.js';
import type { Engine } from '../worker/engine.js';
import { HeldRun } from './held-run.js';

export type HoldNeeds = Pick<Engine, 'contractOf' | 'held' | 'leases' | 'emit' | 'name'>;

/** Holds a run that was claimed; it waits for a slot. `grantedMs`: the process clock before its claim was sent. */
export function holdClaimed(engine: HoldNeeds, run: ClaimedRun, grantedMs: number): HeldRun {
  const contract = engine.contractOf.get(run.type)!;
  const held = new HeldRun(run, contract, grantedMs);
  const earlier = engine.held.add(held);
  // this very worker had claimed the run before, and its process was suspended for longer than the lease
  if (earlier !== undefined) {
    loseLease(engine, earlier);
    // the earlier settlement may still be on its way, but a run has only one lease
    engine.leases.letGo(earlier.lease);
  }
  holdLease(engine, held, Infinity);
  engine.emit({ name: 'job.claimed', run, worker: engine.name });
  return held;
}
