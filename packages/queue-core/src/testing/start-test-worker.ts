import type { Catalog } from '@duework/contracts';
import { createWorker, type Worker, type WorkerOptions } from '../create-worker.js';
import type { HandlerLog } from '../handler.js';
import { createPostgresStore } from '../store/postgres-store.js';
import type { Queryable } from '../sql/sql.js';
import { recordEvents, type EventRecord } from './record-events.js';

export const silentLog: HandlerLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

type Given<TCatalog extends Catalog, TAdded extends object> = Pick<WorkerOptions<TCatalog, TAdded>, 'catalog' | 'handlers'> & Partial<WorkerOptions<TCatalog, TAdded>>;

/** A worker of the real engine on a real database, with its events on record; it polls often. */
export async function startTestWorker<TCatalog extends Catalog, TAdded extends object = object>(db: Queryable, options: Given<TCatalog, TAdded>): Promise<{ worker: Worker; events: EventRecord }> {
  const events = recordEvents();
  const worker = createWorker<TCatalog, TAdded>({
    name: `worker-${Math.random().toString(36).slice(2, 8)}`,
    store: createPostgresStore({ db, heartbeatDb: db }),
    emit: events.emit,
    logOf: () => silentLog,
    pollIntervalMs: 10,
    graceMs: 50,
    ...options,
  });
  await worker.start();
  return { worker, events };
}
