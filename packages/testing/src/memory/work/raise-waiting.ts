import type { MemoryTables } from '../tables/memory-tables.js';

/** Takes before all others the runs that have waited for longer than their contracts' `maxWait`; returns how many. */
export function raiseWaiting(tables: MemoryTables): number {
  const nowMs = tables.nowMs();
  let raised = 0;
  for (const run of tables.live.values()) {
    const isLate = run.runAtMs <= nowMs - (tables.maxWaitMsOf.get(run.type) ?? Infinity);
    if (run.status === 'running' || run.priority === 0 || !isLate) continue;
    tables.raise(run);
    raised++;
  }
  tables.gates.look();
  return raised;
}
