import type { Catalog } from '@duework/contracts';
import {
  createPostgresStore,
  createWorker,
  type HandlerLog,
  type Worker,
  type WorkerOptions,
} from '@duework/queue-core';
import { recordEvents, type EventRecord } from './record-events.js';
import { isInMemory, type Worked } from './to-queue.js';

export const silentLog: HandlerLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

type Given<TCatalog extends Catalog, TAdded extends object> = Pick<
  WorkerOptions<TCatalog, TAdded>,
  'catalog' | 'handlers'
> &
  Partial<WorkerOptions<TCatalog, TAdded>>;

/**
 * Starts a worker of the real engine and records its events. On a database it polls often; a queue in memory wakes it,
 * so it hardly polls, because every poll is a timer that a fake clock would have to fire.
 */
export async function startTestWorker<TCatalog extends Catalog, TAdded extends object = object>(
  source: Worked,
  options: Given<TCatalog, TAdded>,
): Promise<{ worker: Worker; events: EventRecord }> {
  const events = recordEvents();
  const worker = createWorker<TCatalog, TAdded>({
    name: `worker-${Math.random().toString(36).slice(2, 8)}`,
    store: isInMemory(source) ? source.store : createPostgresStore({ db: source }),
    emit: events.emit,
    logOf: () => silentLog,
    pollIntervalMs: isInMemory(source) ? 60_000 : 10,
    graceMs: 50,
    ...options,
  });
  await worker.start();
  return { worker, events };
}
