import type { Json } from '@duework/queue-core';
import type { EndedWait, StepRow } from '@duework/queue-core/ports';
import type { MemoryTables, MemoryWait } from '../tables/memory-tables.js';

/** Ends a wait, whose time is over or whose result has arrived, only while the claim owns the run. */
export function endWait(
  tables: MemoryTables,
  { id, fence, name, doneSeq }: EndedWait,
): { readonly result: Json } | null {
  const wait = tables.waits.get(id)?.get(name);
  if (wait === undefined || tables.owned(id, fence) === undefined) return null;
  return { result: becomeStep(tables, id, wait, doneSeq) };
}

/** The wait is a step that is done from now on; returns its result. */
export function becomeStep(
  tables: MemoryTables,
  id: string,
  { name, askedSeq, arrivedJson }: MemoryWait,
  doneSeq: number,
): Json {
  tables.waits.get(id)!.delete(name);
  const steps = tables.steps.get(id) ?? new Map<string, StepRow>();
  const result = arrivedJson === null ? null : (JSON.parse(arrivedJson) as Json);
  const step = { name, status: 'done', askedSeq, doneSeq, open: [], result, error: null } as const;
  tables.steps.set(id, steps.set(name, step));
  return result;
}
