import type { ExtendedLease, LeaseToExtend } from '@duework/queue-core/ports';
import type { MemoryTables } from '../tables/memory-tables.js';

/** Renews leases, only while their claims still own them. */
export function extendLeases(tables: MemoryTables, batch: readonly LeaseToExtend[]): ExtendedLease[] {
  return batch.flatMap(({ id, fence, leaseMs, isDue }) => {
    const run = tables.owned(id, fence);
    if (run === undefined) return [];
    if (isDue) run.lockedUntilMs = tables.nowMs() + leaseMs;
    return [
      {
        id,
        isExtended: isDue,
        isCancelRequested: run.cancelRequestedAtMs !== null,
        cancelRequestedBy: run.cancelRequestedBy,
        cancelReason: run.cancelReason,
      },
    ];
  });
}
