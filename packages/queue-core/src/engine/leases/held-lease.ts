import type { Lease } from './lease.js';

export const NOWHERE = -1;

/** The lease of one claim, from the claim until it is let go of: its heartbeat is told of each change with the same object. */
export class HeldLease implements Lease {
  keepUntilMs = Infinity;
  /** Where its heartbeat keeps it, which is nobody else's business. */
  place = NOWHERE;

  constructor(
    readonly id: string,
    readonly fence: number,
    readonly leaseMs: number,
    public grantedMs: number,
  ) {}
}
