import type { MemoryTables } from '../tables/memory-tables.js';

/** Writes that somebody has looked at a dead run; the first time stays. false: the run is not dead. */
export function acknowledgeRun(tables: MemoryTables, id: string): boolean {
  const run = tables.history.get(id);
  if (run?.status !== 'dead') return false;
  run.acknowledgedAtMs ??= tables.nowMs();
  tables.gates.toLook(run);
  return true;
}
