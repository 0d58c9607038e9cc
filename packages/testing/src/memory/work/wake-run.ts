import type { MemoryTables } from '../tables/memory-tables.js';

/** Makes a run due that waits for its time, and tells one that runs that it is to look again before it waits. */
export function wakeRun(tables: MemoryTables, id: string): void {
  const run = tables.live.get(id);
  if (run === undefined) return;
  if (run.status === 'running') run.wokenFence = run.fence;
  else if (run.suspendedFence === run.fence && run.runAtMs > tables.nowMs())
    tables.wait(run, 'queued', tables.nowMs(), run.heldBy);
}
