import type { LeaseHeartbeat } from './lease-heartbeat.js';
import type { Lease } from './heartbeat.js';
import type { SharedLeases } from './shared-leases.js';

/** Keeps a heartbeat's leases the same as those in the shared memory. */
export function followLeases(shared: SharedLeases, heartbeat: LeaseHeartbeat) {
  /**
   * Leases reported as lost, by id with their fences. The worker may be too busy to remove them: they must not be held
   * again.
   */
  const lost = new Map<string, number>();
  return {
    update(): void {
      const held = new Map(shared.read().map((lease) => [lease.id, lease]));
      for (const known of heartbeat.all()) if (held.get(known.id)?.fence !== known.fence) heartbeat.letGo(known);
      for (const [id, fence] of lost) if (held.get(id)?.fence !== fence) lost.delete(id);
      for (const lease of held.values())
        if (lost.get(lease.id) !== lease.fence) heartbeat.hold(bounded(lease, shared.aliveMs));
    },
    lost({ id, fence }: Pick<Lease, 'id' | 'fence'>): void {
      lost.set(id, fence);
    },
  };
}

/** Bounds the lease of a buffered run: when the event loop no longer turns, another worker should get the run. */
function bounded(lease: Lease, aliveMs: number): Lease {
  return lease.keepUntilMs === Infinity ? { ...lease, keepUntilMs: aliveMs + lease.leaseMs } : lease;
}
