import { operateOn } from '../../operate-on.js';
import { makeNewRun } from '../../make-new-run.js';
import { createMemoryStore } from '../../store/memory-store.js';
import { Admission } from '../../store/memory/admission.js';
import { memoryRuns } from '../../store/memory/memory-runs.js';
import { MemoryTables } from '../../store/memory/memory-tables.js';
import { DueWatch } from '../../store/memory/watch-due.js';
import type { Enter } from './run-client.js';
import type { VirtualTime } from './virtual-time.js';

/** The parts of a queue in memory, with its tables for everybody to see. */
export function openMemory(time: VirtualTime) {
  const tables = new MemoryTables(time, 10_000);
  const admission = new Admission(tables, { capacity: 10_000, whenFull: 'refuse', maxWaiting: 0 });
  const watch = new DueWatch(tables);
  tables.onRoom = () => admission.serve();
  tables.onWaiting = (runAtMs) => watch.expect(runAtMs);
  const enter: Enter = async (request) => (await admission.enter([makeNewRun(request)]))![0]!;
  return {
    tables,
    enter,
    store: createMemoryStore(tables, watch),
    operators: operateOn(memoryRuns(tables, admission, watch)),
  };
}
