import type { NewStep, StepAnswer, StepRow } from '@duework/queue-core/ports';
import type { MemoryTables } from '../tables/memory-tables.js';

/** Writes that a step has ended, only while this claim owns the run; the first row of a name stays. */
export function writeStep(tables: MemoryTables, { id, fence, ...row }: NewStep): StepAnswer {
  if (tables.owned(id, fence) === undefined) return 'lost';
  const steps = tables.steps.get(id) ?? new Map<string, StepRow>();
  if (steps.has(row.name)) return 'kept';
  tables.steps.set(id, steps.set(row.name, structuredClone(row)));
  return 'written';
}
