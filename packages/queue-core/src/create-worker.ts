import type { Catalog, JobContract } from '@duework/contracts';
import { systemClock, waitAtMost, type Clock } from './clock.js';
import { drain } from './engine/drain.js';
import type { ClaimGate, Engine } from './engine/engine.js';
import { heedNotices } from './engine/heed-notices.js';
import { HeldRuns } from './engine/held-runs.js';
import { keepLeasesHere } from './engine/leases/keep-leases-here.js';
import type { LeaseKeeper } from './engine/leases/lease-keeper.js';
import { pollUntil } from './engine/poll-loop.js';
import { reportFailures } from './engine/report-failures.js';
import { Settler } from './engine/settle.js';
import type { EmitEvent } from './events.js';
import type { Handler, HandlerLog, Handlers } from './handler.js';
import type { IsolatedHandler } from './isolate/isolated.js';
import { maintainUntil, type MaintenanceOptions } from './maintenance/maintain.js';
import { tickUntil } from './maintenance/tick-until.js';
import type { Middleware } from './middleware.js';
import type { Ticker } from './schedule/create-ticker.js';
import type { ClaimedRun, Store } from './store/store.js';

export interface WorkerOptions<TCatalog extends Catalog, TAdded extends object = object> {
  readonly name: string;
  readonly store: Store;
  /** The types this worker runs; it claims no other. */
  readonly catalog: TCatalog;
  readonly handlers: Handlers<TCatalog, TAdded>;
  /** Runs around every handler, and may add to what handlers get; `combineMiddleware` makes one of two. */
  readonly middleware?: Middleware<TAdded>;
  readonly emit: EmitEvent;
  readonly logOf: (run: ClaimedRun) => HandlerLog;
  /** Handlers at once; 10 unless given. */
  readonly concurrency?: number;
  /** Runs claimed ahead of a free slot; 0 unless given, because a waiting run is better off with an idle worker. */
  readonly buffer?: number;
  /** The queues of the catalog's contracts unless given. */
  readonly queues?: readonly string[];
  /** How long to sleep when nothing is due; 500 ms unless given. */
  readonly pollIntervalMs?: number;
  /** How long a handler may ignore its signal before it is given up; 2 s unless given. */
  readonly graceMs?: number;
  readonly maintenance?: Partial<MaintenanceOptions>;
  /** Who renews the leases; this thread, through the store, unless given. */
  readonly leases?: LeaseKeeper;
  /** Makes runs of the schedules that are due; without it this worker leaves that to others. */
  readonly ticker?: Ticker;
  /** What may keep the worker from claiming for a while. */
  readonly gate?: ClaimGate;
  readonly clock?: Clock;
  readonly random?: () => number;
}

export interface Worker {
  readonly name: string;
  /** Prepares the store and begins to claim. Throws what the database says when it cannot be prepared. */
  start(): Promise<void>;
  /**
   * Stops claiming, lets handlers finish for `deadlineMs`, releases the rest. Resolves when everything is written. A
   * second call waits for nothing but that: what still runs is released now.
   */
  stop(options: { deadlineMs: number }): Promise<{ released: number }>;
  /** Handlers running, and runs claimed but not begun. */
  activity(): { running: number; buffered: number };
}

const MAINTENANCE: MaintenanceOptions = {
  rescueIntervalMs: 2_000,
  retainIntervalMs: 3_600_000,
  keepDays: 30,
  alertIntervalMs: 60_000,
  alertLimits: { maxDeadPerHour: 10, maxWaitingSeconds: 300 },
};

/** How long a stopping worker waits for the answer to its last claim. */
const MAX_CLAIM_WAIT_MS = 5_000;

/** The longest time between two beats: a request to cancel is seen within it, told or not. */
const MAX_BEAT_MS = 1_000;

/** How often leases are looked at: often enough for the shortest one. */
export function beatIntervalMs(catalog: Catalog): number {
  return Math.min(MAX_BEAT_MS, ...catalog.map((contract) => contract.leaseMs / 4));
}

/** One worker: it claims, runs, renews leases, settles and does its share of the chores. Connections are the store's. */
export function createWorker<TCatalog extends Catalog, TAdded extends object = object>(options: WorkerOptions<TCatalog, TAdded>): Worker {
  const engine = toEngine(options);
  const { name, emit, held, clock, queues, leases, hurrying } = engine;
  const maintenance = { ...MAINTENANCE, ...options.maintenance };
  const claiming = new AbortController();
  let loops: Promise<unknown> = Promise.resolve();
  let stopping: Promise<{ released: number }> | null = null;

  async function stop(deadlineMs: number): Promise<{ released: number }> {
    const startedMs = clock.monotonicMs();
    emit({ name: 'worker.draining', worker: name, running: held.busySlots, buffered: held.bufferedCount, deadlineMs });
    claiming.abort();
    // a claim on its way is awaited, because what it took is ours to release; a database that hangs is not
    await waitAtMost(clock, MAX_CLAIM_WAIT_MS, loops);
    const released = await drain(engine, deadlineMs);
    await leases.stop();
    emit({ name: 'worker.stopped', worker: name, released, drainMs: clock.monotonicMs() - startedMs });
    return { released };
  }

  return {
    name,
    async start() {
      await engine.store.prepare(engine.catalog);
      await leases.start(heedNotices(engine));
      loops = Promise.all([
        pollUntil(claiming.signal, engine),
        maintainUntil(claiming.signal, engine, maintenance),
        options.ticker && tickUntil(claiming.signal, engine, options.ticker, maintenance),
      ]);
      emit({ name: 'worker.started', worker: name, types: [...engine.contractOf.keys()], queues, concurrency: held.concurrency });
    },
    stop: ({ deadlineMs }) => {
      if (stopping !== null) hurrying.abort();
      return (stopping ??= stop(deadlineMs));
    },
    activity: () => ({ running: held.busySlots, buffered: held.bufferedCount }),
  };
}

function toEngine<TCatalog extends Catalog, TAdded extends object>(options: WorkerOptions<TCatalog, TAdded>): Engine {
  const { name, store, emit, catalog, logOf, clock = systemClock, random = Math.random } = options;
  const report = reportFailures(name, clock, emit);
  return {
    name,
    store,
    catalog,
    contractOf: new Map<string, JobContract>(catalog.map((contract) => [contract.type, contract])),
    // each handler fits the contract under its own name, and the middleware all of them; the maps cannot say so
    handlerOf: new Map(Object.entries<Handler<never> | IsolatedHandler>(options.handlers as never)) as ReadonlyMap<string, Handler | IsolatedHandler>,
    middleware: (options.middleware as Middleware | undefined) ?? null,
    queues: options.queues ?? [...new Set(catalog.map((contract) => contract.queue))],
    held: new HeldRuns(options.concurrency ?? 10, options.buffer ?? 0),
    settler: new Settler(store, clock, report),
    leases: options.leases ?? keepLeasesHere(store, clock, beatIntervalMs(catalog)),
    clock,
    random,
    emit,
    report,
    logOf,
    graceMs: options.graceMs ?? 2_000,
    pollIntervalMs: options.pollIntervalMs ?? 500,
    hurrying: new AbortController(),
    gate: options.gate ?? { open: async () => {} },
    alarm: { ring: () => {} },
  };
}
