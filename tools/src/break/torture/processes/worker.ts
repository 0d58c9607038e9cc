/** A worker of the tortured product, put together as `runWorker` does it; it writes down everything that it believes. */
import { connectPg, connectPrisma, parseDatabaseUrl } from '@duework/database';
import {
  type CrashPoint,
  createPostgresStore,
  createWorker,
  type EmitEvent,
  type HandlerLog,
  heartbeatInThread,
} from '@duework/queue-core';
import { createTicker } from '@duework/schedules';
import { serveParent } from '../../../kit/serve-parent.js';
import { newCatalog, OLD_VERSION, oldCatalog } from '../jobs.js';
import type { ClientKind } from '../observer/history-events.js';
import { createHandlers } from './create-handlers.js';
import { createEffectHolder, type HoldOrder } from './hold-effects.js';
import { openLines, openHistory } from './open-history.js';
import { readSettings } from './read-settings.js';
import { blockLoop, shiftClock } from './shift-clock.js';
import { watchEffects } from './watch-effects.js';

export interface WorkerSettings {
  readonly url: string;
  readonly name: string;
  /** The client through which the engine sends its own statements. */
  readonly client: ClientKind;
  readonly version: number;
  readonly history: string;
  readonly effects: string;
  readonly concurrency: number;
  readonly sampleEvery: number;
}

const STOP_MS = 5_000;
const noLog: HandlerLog = { debug() {}, info() {}, warn() {}, error() {} };

const { url, name, client, version, history, effects, concurrency, sampleEvery } = readSettings() as WorkerSettings;
const write = openHistory(history);
const writeLine = openLines(history);
const isLookedAt = (run: string): boolean => Number(run) % sampleEvery === 0;
/** The crash point at which this process must die; null: at none. */
let deadlyPoint: CrashPoint | null = null;

/** The events that are written down: all about the worker, and those about the sampled runs. */
const emit: EmitEvent = (event) => {
  const { name: kind, worker: _, ...facts } = event;
  if ('run' in event) {
    const { run } = event;
    const code = 'error' in event ? event.error.code : undefined;
    if (isLookedAt(run.id)) writeLine(kind, { worker: name, run: run.id, fence: run.fence, type: run.type, code });
    return;
  }
  if (!('error' in event)) return writeLine(kind, facts);
  const { code = null, message } = event.error as { code?: string; message?: string };
  return writeLine(kind, { ...facts, error: undefined, code, problem: message ?? String(event.error) });
};

const connection = { url, applicationName: `torture-${name}`, onConnectionLost: () => {} };
const engineOptions = { ...connection, poolSize: 4 };
const engineDb = client === 'pg' ? connectPg(engineOptions) : connectPrisma({ ...engineOptions, role: 'engine' });
const handlerDb = connectPrisma({ ...connection, poolSize: 8 });
const holder = createEffectHolder({
  write,
  isLookedAt,
  tell: (held, isSent) => void process.send?.({ kind: 'held', held }, undefined, {}, isSent),
});
const handlers = createHandlers({
  db: handlerDb,
  write,
  ledger: openLines(effects),
  holder,
  isLookedAt,
});
const common = {
  name,
  store: watchEffects(createPostgresStore({ db: engineDb }), holder),
  leases: heartbeatInThread({ ...parseDatabaseUrl(url), catalog: newCatalog }),
  emit,
  ticker: createTicker({
    db: engineDb,
    catalog: version === OLD_VERSION ? oldCatalog : newCatalog,
    worker: name,
    emit,
  }),
  logOf: () => noLog,
  concurrency,
  crashHook(point: CrashPoint) {
    if (point !== deadlyPoint) return;
    write('died', { point });
    process.kill(process.pid, 'SIGKILL');
  },
};
const worker =
  version === OLD_VERSION
    ? createWorker({ ...common, catalog: oldCatalog, handlers: handlers.old })
    : createWorker({ ...common, catalog: newCatalog, handlers: handlers.today });

const tell = serveParent({
  dieAt: ({ point }: { point: CrashPoint | null }) => void (deadlyPoint = point),
  shiftClock: ({ ms }: { ms: number }) => shiftClock(ms),
  block: ({ ms }: { ms: number }) => blockLoop(ms),
  hold: (order: HoldOrder) => holder.hold(order),
});

process.on('SIGTERM', () => {
  void (async () => {
    await worker.stop({ deadlineMs: STOP_MS });
    await Promise.all([engineDb.$disconnect(), handlerDb.$disconnect()]);
    process.exit(0);
  })();
});

try {
  await worker.start();
} catch (error) {
  // its parent starts a new one
  write('start.failed', { problem: String(error instanceof Error ? error.message : error) });
  process.exit(1);
}
write('started', { pid: process.pid });
tell('started');
