import type { Engine } from '../worker/engine.js';
import type { HeldRun } from '../claim/held-run.js';

/** Has the lease renewed, until `keepUntilMs` at the most. */
export function holdLease({ leases }: Pick<Engine, 'leases'>, { lease }: HeldRun, keepUntilMs: number): void {
  lease.keepUntilMs = keepUntilMs;
  leases.hold(lease);
}
