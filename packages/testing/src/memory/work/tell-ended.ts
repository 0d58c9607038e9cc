import type { MemoryRun } from '../tables/memory-run.js';
import type { MemoryTables } from '../tables/memory-tables.js';
import { arrive } from './arrive.js';
import { wakeRun } from './wake-run.js';

/** Ends the waits for a run that has ended. */
export function tellEnded(tables: MemoryTables, run: MemoryRun): void {
  for (const [id, waits] of tables.waits)
    for (const { name, awaits, awaited } of [...waits.values()])
      if (awaits === 'job' && awaited === run.id) {
        wakeRun(tables, id);
        arrive(tables, id, name, endingOf(run));
      }
}

/** What is told of its end, as text. */
export function endingOf({ id, status, resultJson, errorCode, lastError: error }: MemoryRun): string {
  const result: unknown = resultJson === null ? null : JSON.parse(resultJson);
  return JSON.stringify({ id, status, result, errorCode, error });
}
