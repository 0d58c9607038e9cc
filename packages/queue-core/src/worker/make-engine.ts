import { ShutGates } from '../flow/shut-gates.js';
import { hostname } from 'node:os';
import type { Catalog, JobContract } from '@duework/contracts';
import { checkHandlers } from '../run/check-handlers.js';
import { systemClock, type Clock } from '../clock.js';
import type { EmitEvent } from '../events.js';
import { FiguresTally } from '../figures/figures-tally.js';
import { Alarm, SpareLook } from '../wake/alarm.js';
import { ClaimBrakes, SessionBrake } from '../claim/claim-brakes.js';
import { Gathering } from '../claim/gathering.js';
import { beginTaken } from '../claim/claim-round.js';
import { NextInLine } from '../claim/next-in-line.js';
import { OwnedRuns, LOOKAHEAD_MS, TENANT_LOOKAHEAD_MS } from '../claim/owned-runs.js';
import { startNow } from '../run/start-runs.js';
import { heartbeatIntervalMs } from '../leases/lease.js';
import { LeaseHeartbeat, type EngineMessage, type Heartbeat } from '../leases/heartbeat.js';
import type { RunStore } from '../ports/runs.js';
import { reportFailures } from '../report-failures.js';
import { SettlementWriter } from '../settle/write-settlements.js';
import { BatchWatch } from '../batches/batch-watch.js';
import { LeasedWriter } from '../steps/write-while-leased.js';
import { TimeLimits } from '../run/attempt.js';
import { LoopWatch } from '../event-loop/watch-event-loop.js';
import type { Middleware } from '../run/handler.js';
import type { WorkerOptions } from './worker-options.js';
import type { Engine } from './engine.js';

/** Puts the parts of a worker together, with its defaults; nothing runs yet. Throws `HandlersError`. */
export function makeEngine<TCatalog extends Catalog, TAdded extends object>(
  options: WorkerOptions<TCatalog, TAdded>,
): Engine {
  const { name, store, catalog, logOf, clock = systemClock, random = Math.random } = options;
  const figures = store.writeFigures === undefined ? null : new FiguresTally();
  const emit: EmitEvent = (event) => {
    figures?.note(event);
    options.emit(event);
  };
  const report = reportFailures(name, clock, emit);
  const heartbeatMs = heartbeatIntervalMs(catalog);
  const leases = options.leases ?? heartbeatHere(store, clock, heartbeatMs);
  const loop = new LoopWatch({ worker: name, emit, maxDelayMs: options.maxLoopDelayMs ?? 200 });
  const session = new SessionBrake();
  const alarm = new Alarm();
  const buffer = options.buffer ?? 2_000;
  const gathering = makeGathering(catalog, clock, buffer);
  const { able, foreign } = byLabels(catalog, options.labels ?? []);
  const contractOf = new Map<string, JobContract>(able.map((contract) => [contract.type, contract]));
  const queues = (options.queues ?? [...new Set(catalog.flatMap((contract) => contract.queues))]).filter(
    (queue) => !foreign.has(queue),
  );
  const owned = new OwnedRuns(options.concurrency ?? 10, buffer, gathering, lookaheadMs(catalog));
  const crashHook = options.crashHook ?? null;
  const nextInLine = new NextInLine({ name, queues, contractOf, owned, clock, session, alarm, crashHook });
  const engine: Engine = {
    name,
    place: {
      host: hostname(),
      pid: process.pid,
      codeVersion: options.codeVersion ?? null,
      needs: options.needs ?? null,
    },
    figures,
    store,
    catalog,
    contractOf,
    handlerOf: checkHandlers(catalog, options.handlers),
    backoffOf: new Map(Object.entries(options.backoffs ?? {})),
    // the middleware fits every handler, but the types cannot express that
    middleware: (options.middleware as Middleware | undefined) ?? null,
    queues,
    collectingQueues: collectingQueues(able),
    owned,
    nextInLine,
    shutGates: new ShutGates(clock),
    writer: new SettlementWriter(store, clock, report, () => alarm.ring('once'), nextInLine),
    batches: new BatchWatch(store, clock, report),
    steps: new LeasedWriter({ send: (batch) => store.writeSteps(batch), lost: 'lost', clock, report }),
    waits: new LeasedWriter({ send: (batch) => store.beginWaits(batch), lost: { kind: 'lost' }, clock, report }),
    children: new LeasedWriter({ send: (batch) => store.insertChildren(batch), lost: null, clock, report }),
    leases,
    heartbeatMs,
    clock,
    random,
    emit,
    report,
    logOf,
    toldResults: new Set(),
    keepsLogs: options.keepLogs ?? false,
    graceMs: options.graceMs ?? 2_000,
    limits: new TimeLimits(clock),
    pollIntervalMs: options.pollIntervalMs ?? (leases.isListening || store.watch !== undefined ? 5_000 : 500),
    hurrying: new AbortController(),
    loop,
    session,
    brakes: new ClaimBrakes([
      ...(options.brake === undefined ? [] : [['brake', options.brake] as const]),
      ['event_loop', loop],
      ['session', session],
    ]),
    alarm,
    spareLook: new SpareLook(clock, alarm),
    tickAlarm: new Alarm(),
    crashHook,
    fault: { isOfAnyRun: false },
  };
  nextInLine.onTaken = (taking, isOver) => beginTaken(engine, taking, isOver);
  if (gathering !== null) gathering.onReady = () => startNow(engine);
  return engine;
}

/** Those that a worker with these labels can run, and the queues in which only others wait. */
function byLabels(catalog: Catalog, labels: readonly string[]): { able: Catalog; foreign: ReadonlySet<string> } {
  const able = catalog.filter((contract) => contract.labels.every((label) => labels.includes(label)));
  const kept = new Set(able.flatMap((contract) => contract.queues));
  return { able, foreign: new Set(catalog.flatMap(({ queues }) => queues).filter((queue) => !kept.has(queue))) };
}

/** null: no contract collects. A whole call may gather, however small the buffer is. */
function makeGathering(catalog: Catalog, clock: Clock, buffer: number): Gathering | null {
  const largest = Math.max(0, ...catalog.map(({ collect }) => collect?.max ?? 0));
  return largest === 0 ? null : new Gathering(clock, largest, Math.max(largest, buffer));
}

function lookaheadMs(catalog: Catalog): number {
  const hasTenants = catalog.some(({ flow }) => flow?.some(({ kind }) => kind === 'tenant') ?? false);
  return hasTenants ? TENANT_LOOKAHEAD_MS : LOOKAHEAD_MS;
}

function collectingQueues(catalog: Catalog): ReadonlySet<string> {
  const others = new Set(catalog.filter(({ collect }) => collect === undefined).map(({ queue }) => queue));
  return new Set(catalog.map(({ queue }) => queue).filter((queue) => !others.has(queue)));
}

/** Extends leases from this thread, through the store: for stores that have no other way, and for tests. */
export function heartbeatHere(store: Pick<RunStore, 'extendLeases'>, clock: Clock, intervalMs: number): Heartbeat {
  const stopping = new AbortController();
  let listener: (message: EngineMessage) => void = () => {};
  const heartbeat = new LeaseHeartbeat({
    extend: (batch) => store.extendLeases(batch),
    clock,
    intervalMs,
    notify: (message) => listener(message),
  });
  return {
    isListening: false,
    async start(_worker, given) {
      listener = given;
      void heartbeat.runUntil(stopping.signal);
    },
    hold: (lease) => heartbeat.hold(lease),
    letGo: (lease) => heartbeat.letGo(lease),
    renew: () => heartbeat.renew(),
    async stop() {
      stopping.abort();
    },
  };
}
