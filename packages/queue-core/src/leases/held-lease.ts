import type { Lease } from './lease.js';

export const NOWHERE = -1;

/** The lease of one claim, from the claim until it is let go of. The heartbeat gets each change in this same object. */
export class HeldLease implements Lease {
  keepUntilMs = Infinity;
  /** The row in which `SharedLeases` keeps it; only that class reads or writes this. */
  place = NOWHERE;

  constructor(
    readonly id: string,
    readonly fence: number,
    readonly leaseMs: number,
    public grantedMs: number,
  ) {}
}
