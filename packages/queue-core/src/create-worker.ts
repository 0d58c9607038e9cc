import type { Catalog, JobContract } from '@duework/contracts';
import { checkHandlers } from './check-handlers.js';
import { systemClock, waitAtMost, type Clock } from './clock.js';
import { Alarm } from './engine/alarm.js';
import type { ClaimGate } from './engine/claim-gate.js';
import { ClaimGates, type GateName } from './engine/claim-gates.js';
import { drain } from './engine/drain.js';
import type { CrashHook } from './engine/crash-points.js';
import type { Engine } from './engine/engine.js';
import { handleMessages } from './engine/handle-messages.js';
import { HeldRuns } from './engine/held-runs.js';
import { heartbeatIntervalMs } from './engine/leases/heartbeat-interval.js';
import { heartbeatHere } from './engine/leases/heartbeat-here.js';
import type { Heartbeat } from './engine/leases/heartbeat.js';
import { pollUntil } from './engine/poll-loop.js';
import { reportFailures } from './engine/report-failures.js';
import { SessionGate } from './engine/session-gate.js';
import { SettlementWriter } from './engine/write-settlements.js';
import { TimeLimits } from './engine/time-limits.js';
import { LoopWatch } from './engine/watch-event-loop.js';
import type { EmitEvent } from './events.js';
import type { HandlerLog, Handlers } from './handler.js';
import { maintainUntil, type MaintenanceOptions } from './maintenance/maintain.js';
import { tickUntil } from './maintenance/tick-until.js';
import type { Middleware } from './middleware.js';
import type { Ticker } from './ports/schedules.js';
import type { ClaimedRun } from './ports/runs.js';
import type { Store } from './ports/store.js';

export interface WorkerOptions<TCatalog extends Catalog, TAdded extends object = object> {
  readonly name: string;
  readonly store: Store;
  /** The types this worker runs; it claims no other. */
  readonly catalog: TCatalog;
  readonly handlers: Handlers<TCatalog, TAdded>;
  /** Runs around every handler, and may add to the context; `combineMiddleware` makes one of two. */
  readonly middleware?: Middleware<TAdded>;
  readonly emit: EmitEvent;
  readonly logOf: (run: ClaimedRun) => HandlerLog;
  /** How many handlers run at once; default 10. */
  readonly concurrency?: number;
  /**
   * The most runs claimed ahead of a free slot; default 2,000. Only as many are claimed as will start within 50 ms, so
   * with slow handlers nothing is claimed ahead.
   */
  readonly buffer?: number;
  /** The queues it claims from; default: those of the catalog's contracts. */
  readonly queues?: readonly string[];
  /** The longest sleep while nothing is due; default 5 s where wake-ups are received, and 500 ms where they are not. */
  readonly pollIntervalMs?: number | undefined;
  /** How long a handler may ignore its signal before it is given up; default 2 s. */
  readonly graceMs?: number;
  readonly maintenance?: Partial<MaintenanceOptions>;
  /** What renews the leases; default: this thread, through the store. */
  readonly leases?: Heartbeat;
  /** Makes runs of due schedules; without it this worker leaves that to others. */
  readonly ticker?: Ticker;
  /**
   * The worker claims nothing while handlers keep the event loop later than this; default 200 ms, Infinity: it always
   * claims.
   */
  readonly maxLoopDelayMs?: number;
  /** The caller's own gate, which may keep the worker from claiming for a while. */
  readonly gate?: ClaimGate;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** For tests that make the worker die at a certain moment; see `CRASH_POINTS`. */
  readonly crashHook?: CrashHook;
}

export interface Worker {
  readonly name: string;
  /** Prepares the store and begins to claim. Throws the database's error when the store cannot be prepared. */
  start(): Promise<void>;
  /**
   * Stops claiming, lets handlers finish for `deadlineMs`, releases the rest. Resolves when everything is written. A
   * second call releases at once what still runs, and waits only until that is written.
   */
  stop(options: { deadlineMs: number }): Promise<{ released: number }>;
  activity(): WorkerActivity;
}

/** What a worker is doing at the moment. */
export interface WorkerActivity {
  /** How many of the `concurrency` slots are taken. */
  readonly running: number;
  readonly concurrency: number;
  /** Taken slots whose handlers ignored their signal, and run on although their attempts were given up. */
  readonly stuckSlots: number;
  /** Claimed but not begun. */
  readonly buffered: number;
  /** What keeps the worker from claiming; null: nothing does. */
  readonly shutBy: GateName | null;
  /** How late the event loop was lately, in milliseconds (99th percentile). */
  readonly loopDelayMs: number;
}

const MAINTENANCE: MaintenanceOptions = {
  rescueIntervalMs: 2_000,
  retainIntervalMs: 3_600_000,
  keepDays: 30,
  keepDeadDays: 90,
  alertIntervalMs: 60_000,
  alertLimits: { maxDeadPerHour: 10, maxWaitingSeconds: 300, maxHorizonSeconds: 300 },
};

/** How long a stopping worker waits for the answer to its last claim. */
const MAX_CLAIM_WAIT_MS = 5_000;

/**
 * Makes one worker: it claims, runs, renews leases, settles and does its share of the chores. Its store owns the
 * connections.
 */
export function createWorker<TCatalog extends Catalog, TAdded extends object = object>(
  options: WorkerOptions<TCatalog, TAdded>,
): Worker {
  const engine = toEngine(options);
  const { name, emit, held, clock, queues, leases, loop, hurrying, gate } = engine;
  const maintenance = { ...MAINTENANCE, ...options.maintenance };
  const claiming = new AbortController();
  let loops: Promise<unknown> = Promise.resolve();
  let stopping: Promise<{ released: number }> | null = null;
  let unwatch = (): void => {};

  async function stop(deadlineMs: number): Promise<{ released: number }> {
    const startedMs = clock.monotonicMs();
    emit({ name: 'worker.draining', worker: name, running: held.busySlots, buffered: held.bufferedCount, deadlineMs });
    claiming.abort();
    // awaits a claim on its way, because this worker has to release its runs; but not a database that hangs
    await waitAtMost(clock, MAX_CLAIM_WAIT_MS, loops);
    const released = await drain(engine, deadlineMs);
    held.stopWatching?.();
    unwatch();
    await leases.stop();
    loop.stop();
    emit({ name: 'worker.stopped', worker: name, released, drainMs: clock.monotonicMs() - startedMs });
    return { released };
  }

  return {
    name,
    async start() {
      await engine.store.prepare(engine.catalog);
      const handle = handleMessages(engine);
      await leases.start(name, handle);
      loop.start();
      unwatch = engine.store.watch?.(handle) ?? unwatch;
      loops = Promise.all([
        pollUntil(claiming.signal, engine),
        maintainUntil(claiming.signal, engine, maintenance),
        options.ticker && tickUntil(claiming.signal, engine, options.ticker, maintenance),
      ]);
      emit({
        name: 'worker.started',
        worker: name,
        types: [...engine.contractOf.keys()],
        queues,
        concurrency: held.concurrency,
      });
    },
    stop: ({ deadlineMs }) => {
      if (stopping !== null) hurrying.abort();
      return (stopping ??= stop(deadlineMs));
    },
    activity: () => ({
      running: held.busySlots,
      buffered: held.bufferedCount,
      concurrency: held.concurrency,
      stuckSlots: held.stuckSlots,
      shutBy: gate.shutBy,
      loopDelayMs: loop.delayMs(),
    }),
  };
}

function toEngine<TCatalog extends Catalog, TAdded extends object>(options: WorkerOptions<TCatalog, TAdded>): Engine {
  const { name, store, emit, catalog, logOf, clock = systemClock, random = Math.random } = options;
  const report = reportFailures(name, clock, emit);
  const heartbeatMs = heartbeatIntervalMs(catalog);
  const leases = options.leases ?? heartbeatHere(store, clock, heartbeatMs);
  const loop = new LoopWatch({ worker: name, emit, maxDelayMs: options.maxLoopDelayMs ?? 200 });
  const session = new SessionGate();
  return {
    name,
    store,
    catalog,
    contractOf: new Map<string, JobContract>(catalog.map((contract) => [contract.type, contract])),
    leaseMsByType: new Map(catalog.map((contract) => [contract.type, contract.leaseMs])),
    handlerOf: checkHandlers(catalog, options.handlers),
    // the middleware fits every handler, but the types cannot express that
    middleware: (options.middleware as Middleware | undefined) ?? null,
    queues: options.queues ?? [...new Set(catalog.map((contract) => contract.queue))],
    held: new HeldRuns(options.concurrency ?? 10, options.buffer ?? 2_000),
    writer: new SettlementWriter(store, clock, report),
    leases,
    heartbeatMs,
    clock,
    random,
    emit,
    report,
    logOf,
    graceMs: options.graceMs ?? 2_000,
    limits: new TimeLimits(clock),
    pollIntervalMs: options.pollIntervalMs ?? (leases.isListening || store.watch !== undefined ? 5_000 : 500),
    hurrying: new AbortController(),
    loop,
    session,
    gate: new ClaimGates([
      ...(options.gate === undefined ? [] : [['gate', options.gate] as const]),
      ['event_loop', loop],
      // guard: session-gate
      ['session', session],
      // guard end: session-gate
    ]),
    alarm: new Alarm(),
    tickAlarm: new Alarm(),
    crashHook: options.crashHook ?? null,
  };
}
