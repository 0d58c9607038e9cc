import type { MemoryTables } from '../tables/memory-tables.js';

/** What a wait of a run waited for has come, as text. */
export function arrive(tables: MemoryTables, id: string, name: string, json: string): void {
  const wait = tables.waits.get(id)?.get(name);
  if (wait === undefined || wait.arrivedAt !== null) return;
  wait.arrivedAt = tables.nextNumber();
  wait.arrivedJson = json;
}
