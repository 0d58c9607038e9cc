import type { MemoryTables } from './memory-tables.js';

/** Writes that somebody has looked at a dead run, once. false: it is not dead. */
export function acknowledgeRun(tables: MemoryTables, id: string): boolean {
  const run = tables.history.get(id);
  if (run?.status !== 'dead') return false;
  run.acknowledgedAtMs ??= tables.nowMs();
  return true;
}
