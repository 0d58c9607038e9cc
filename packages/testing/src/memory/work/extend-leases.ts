import type { ExtendedLease, LeaseToExtend } from '@duework/queue-core/ports';
import type { MemoryTables } from '../tables/memory-tables.js';

/** Renews leases, only while their claims still own them. */
export function extendLeases(tables: MemoryTables, batch: readonly LeaseToExtend[]): ExtendedLease[] {
  return batch.flatMap(({ id, fence, leaseMs, renew }) => {
    const run = tables.owned(id, fence);
    if (run === undefined) return [];
    const nowMs = tables.nowMs();
    const isExtended = renew === 'now' || (renew === 'when_short' && run.lockedUntilMs! < nowMs + leaseMs / 3);
    if (isExtended) run.lockedUntilMs = nowMs + leaseMs;
    return [
      {
        id,
        isExtended,
        isCancelRequested: run.cancelRequestedAtMs !== null,
        cancelRequestedBy: run.cancelRequestedBy,
        cancelReason: run.cancelReason,
      },
    ];
  });
}
