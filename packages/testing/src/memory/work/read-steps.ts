import type { StepRow } from '@duework/queue-core/ports';
import type { MemoryTables } from '../tables/memory-tables.js';

/** What a run has done, in the order in which it was done; values of the reader's own. */
export function readSteps(tables: MemoryTables, id: string): StepRow[] {
  return structuredClone([...(tables.steps.get(id)?.values() ?? [])]).sort((a, b) => a.doneSeq - b.doneSeq);
}
