import type { ExtendedLease, LeaseToExtend } from '../../sql/extend-leases.js';
import type { MemoryTables } from './memory-tables.js';

/** Renews leases, only while they are still owned. */
export function extendLeases(tables: MemoryTables, batch: readonly LeaseToExtend[]): ExtendedLease[] {
  return batch.flatMap(({ id, fence, lease_ms, is_due }) => {
    const run = tables.owned(id, fence);
    if (run === undefined) return [];
    if (is_due) run.lockedUntilMs = tables.nowMs() + lease_ms;
    return [
      {
        id,
        is_extended: is_due,
        is_cancel_requested: run.cancelRequestedAtMs !== null,
        cancel_requested_by: run.cancelRequestedBy,
        cancel_reason: run.cancelReason,
      },
    ];
  });
}
