import { keyOf, type MemoryTables } from '../tables/memory-tables.js';

/** Frees the key of a dead or cancelled run. Returns whether the run still had it; null: the run is neither. */
export function freeKey(tables: MemoryTables, id: string): boolean | null {
  const run = tables.history.get(id);
  if (run === undefined || run.status === 'succeeded') return null;
  run.acknowledgedAtMs ??= tables.nowMs();
  tables.gates.toLook(run);
  if (run.key === null || tables.keys.get(keyOf(run.type, run.key))?.runId !== id) return false;
  return tables.keys.delete(keyOf(run.type, run.key));
}
