import { keyOf, type MemoryTables } from '../tables/memory-tables.js';

/** A run forgets a step, what it has done after it, and what it waits for; children to enqueue anew lose their keys. */
export function forgetSteps(tables: MemoryTables, id: string, from: string): void {
  const steps = tables.steps.get(id);
  const fromSeq = steps?.get(from)?.doneSeq ?? Infinity;
  const done = [...(steps?.values() ?? [])].filter(({ doneSeq }) => doneSeq >= fromSeq).map(({ name }) => name);
  for (const name of [...done, ...(tables.waits.get(id)?.keys() ?? [])]) {
    steps?.delete(name);
    tables.waits.get(id)?.delete(name);
    freeChild(tables, id, tables.children.get(id)?.get(name));
  }
}

/** As the database frees it. */
function freeChild(tables: MemoryTables, id: string, childId: string | undefined): void {
  const child = childId === undefined ? undefined : tables.history.get(childId);
  if (child === undefined || child.key === null) return;
  const isOwn = child.key.startsWith(`child:${id}:`);
  const key = keyOf(child.type, child.key);
  if ((isOwn || child.status !== 'succeeded') && tables.keys.get(key)?.runId === child.id) tables.keys.delete(key);
}
