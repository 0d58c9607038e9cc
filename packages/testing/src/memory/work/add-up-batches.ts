import { insertRuns } from '../insert-runs.js';
import type { MemoryTables } from '../tables/memory-tables.js';

/** Enqueues the jobs for which it is time in their batches. */
export function addUpBatches(tables: MemoryTables): void {
  tables.batches.addUp((run) => insertRuns(tables, [run])[0]!.id, tables.nowMs());
}
