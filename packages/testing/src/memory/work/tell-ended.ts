import type { MemoryRun } from '../tables/memory-run.js';
import type { MemoryTables } from '../tables/memory-tables.js';
import { cancelRun } from '../operate/cancel-run.js';
import { arrive } from './arrive.js';
import { wakeRun } from './wake-run.js';

/** Ends the waits for a run that has ended; one that was cancelled takes the children along for which it waits. */
export function tellEnded(tables: MemoryTables, run: MemoryRun): void {
  if (run.status === 'cancelled') cancelChildren(tables, run);
  for (const [id, waits] of tables.waits)
    for (const { name, awaits, awaited } of [...waits.values()])
      if ((awaits === 'job' || awaits === 'child') && awaited === run.id) {
        wakeRun(tables, id);
        arrive(tables, id, name, endingOf(run));
      }
}

function cancelChildren(tables: MemoryTables, { id, cancelRequestedBy, cancelReason }: MemoryRun): void {
  const why = cancelReason ?? `Its parent, job ${id}, was cancelled.`;
  for (const { awaits, awaited, arrivedAt } of [...(tables.waits.get(id)?.values() ?? [])])
    if (awaits === 'child' && arrivedAt === null) cancelRun(tables, awaited!, cancelRequestedBy, why);
}

/** What is told of its end, as text. */
export function endingOf({ id, status, resultJson, errorCode, lastError: error }: MemoryRun): string {
  const result: unknown = resultJson === null ? null : JSON.parse(resultJson);
  return JSON.stringify({ id, status, result, errorCode, error });
}
