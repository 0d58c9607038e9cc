import type { MemoryTables } from '../tables/memory-tables.js';

/** Cancels a waiting run at once, or writes the request on a running one. null: the run is not live. */
export function cancelRun(
  tables: MemoryTables,
  id: string,
  by: string | null,
  reason: string | null,
): 'cancelled' | 'requested' | null {
  const run = tables.live.get(id);
  if (run === undefined) return null;
  const nowMs = tables.nowMs();
  run.cancelRequestedAtMs ??= nowMs;
  run.cancelRequestedBy ??= by;
  run.cancelReason ??= reason;
  if (run.status === 'running') return 'requested';
  tables.finish(run, 'cancelled', nowMs);
  return 'cancelled';
}
