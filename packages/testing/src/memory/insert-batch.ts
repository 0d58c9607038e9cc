import type { EnqueuedJob, JoinedBatch, NewRun } from '@duework/queue-core/ports';
import type { Admission } from './admission.js';
import type { MemoryTables } from './tables/memory-tables.js';
import { addUpBatches } from './work/add-up-batches.js';

/** Inserts runs into a batch, once there is room for them; null: they were dropped. Throws as `insertBatch` and `Admission`. */
export async function insertBatch(
  tables: MemoryTables,
  admission: Admission,
  batch: JoinedBatch,
  runs: readonly NewRun[],
  signal?: AbortSignal,
): Promise<EnqueuedJob[] | null> {
  tables.batches.join(batch, tables.nowMs());
  let jobs: EnqueuedJob[] | null = null;
  try {
    jobs = await admission.enter(runs, signal);
    return jobs;
  } finally {
    tables.batches.joined(batch, jobs !== null);
    addUpBatches(tables);
  }
}
