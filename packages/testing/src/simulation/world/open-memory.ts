import { queueOver, type QueueStore } from '@duework/queue-core/ports';
import { createMemoryStore, MEMORY_CAPABILITIES } from '../../memory/memory-store.js';
import { Admission } from '../../memory/admission.js';
import { insertBatch } from '../../memory/insert-batch.js';
import { memoryOperator } from '../../memory/operate/memory-operator.js';
import { refusePublish } from '../../memory/work/refuse-publish.js';
import { sendSignal } from '../../memory/work/send-signal.js';
import { MemoryTables } from '../../memory/tables/memory-tables.js';
import { DueWatch } from '../../memory/tables/watch-due.js';
import type { Enter } from '../actors/run-client.js';
import type { VirtualTime } from './virtual-time.js';

/** The parts of a queue in memory, with its tables for everybody to see. */
export function openMemory(time: VirtualTime) {
  const tables = new MemoryTables(time, 10_000);
  const admission = new Admission(tables, { capacity: 10_000, whenFull: 'refuse', maxWaiting: 0 });
  const watch = new DueWatch(tables);
  tables.onRoom = () => admission.serve();
  tables.onWaiting = (runAtMs) => watch.expect(runAtMs);
  const queueStore: QueueStore = {
    insert: async (runs) => (await admission.enter(runs))!,
    insertBatch: async (batch, runs) => (await insertBatch(tables, admission, batch, runs))!,
    sendSignal: async (signal) => sendSignal(tables, signal),
    publish: refusePublish,
    ...memoryOperator(tables, admission, watch),
    capabilities: MEMORY_CAPABILITIES,
  };
  const queue = queueOver(queueStore);
  const enter: Enter = async (request) => (await queue.enqueueMany([request]))[0]!;
  return {
    tables,
    enter,
    store: createMemoryStore(tables, watch),
    operators: queue,
  };
}
