/**
 * Everything that one worker consists of, put together.
 *
 * It starts once and stops once, whoever asks: `stop` lets running jobs end until the deadline and releases the rest,
 * `hurry` releases everything now. `ended` resolves when nothing of it is left: connections, port and timers.
 */
import type { Server } from 'node:http';
import type { Catalog } from '@duework/contracts';
import { checkDatabase, parseDatabaseUrl } from '@duework/database';
import {
  createPostgresStore,
  createWorker,
  hasWork,
  heartbeatInThread,
  systemClock as clock,
  type EmitEvent,
  type Worker,
} from '@duework/queue-core';
import { waitAtMost } from '@duework/queue-core/handling';
import { createTicker, registerSchedules } from '@duework/schedules';
import { readClock } from './clock.js';
import { describeStartError } from './describe-start-error.js';
import { listenOn } from './http/listen-on.js';
import type { Metrics } from './load-metrics.js';
import { logEvents } from './log-events.js';
import { measureEvents } from './measure-events.js';
import { openConnections } from './open-connections.js';
import { openProbes, type WorkerState } from './open-probes.js';
import { runOnce } from './run-once.js';
import type { RunWorkerOptions } from './run-worker-options.js';
import { sendAlert } from './send-alert.js';
import type { Settings } from './settings.js';
import type { Log } from './worker-log.js';

/**
 * After the deadline handlers get a grace and settlements are written; after this margin the worker is given up,
 * whatever hangs.
 */
const STOP_MARGIN_MS = 10_000;
const DISCONNECT_MS = 2_000;

export interface RuntimeOptions<TCatalog extends Catalog, TAdded extends object> {
  readonly given: RunWorkerOptions<TCatalog, TAdded>;
  readonly settings: Settings;
  readonly log: Log;
  readonly metrics: Metrics | null;
  /** null: it runs until it is stopped. */
  readonly once: { readonly maxRuntimeMs: number } | null;
  /** Called when something still hangs long after the deadline. */
  readonly onStuck: () => void;
}

export interface Runtime {
  /**
   * Resolves when it claims, or was stopped meanwhile. Rejects with a coded error, one line with its fix, having closed
   * everything.
   */
  start(): Promise<void>;
  stop(code: number): void;
  hurry(code: number): void;
  /** A fault after which the state of the process is unknown: running jobs may end, then a supervisor starts it anew. */
  fail(fault: string, error: unknown): void;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
}

export function createRuntime<TCatalog extends Catalog, TAdded extends object>({
  given,
  settings,
  log,
  metrics,
  once,
  onStuck,
}: RuntimeOptions<TCatalog, TAdded>): Runtime {
  const { catalog } = given;
  const { databaseUrl: url, workerName: name, queues } = settings;
  const connections = openConnections({ url, engine: given.engine, log });
  const { engine } = connections;
  let worker: Worker;
  let server: Server | null = null;
  let state: WorkerState = 'starting';
  let exitCode = 0;
  let dead = 0;
  /** Aborts when the worker is told to stop. */
  const told = new AbortController();
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => (end = resolve));

  const listeners: EmitEvent[] = [
    logEvents(log, url),
    sendAlert({ log, url: settings.alertWebhookUrl, now: readClock }),
    (event) => void (dead += event.name === 'job.dead' ? 1 : 0),
    ...(metrics === null
      ? []
      : [
          measureEvents({
            ...metrics,
            types: catalog.map(({ type }) => type),
            slots: settings.concurrency,
            activity: () => worker.activity(),
          }),
        ]),
    ...(given.onEvent === undefined ? [] : [given.onEvent]),
  ];
  const emit: EmitEvent = (event) => {
    for (const listen of listeners) listen(event);
  };
  const ticker = createTicker({ db: engine, catalog, worker: name, emit });
  worker = createWorker<TCatalog, TAdded>({
    name,
    store: createPostgresStore({ db: engine }),
    leases: heartbeatInThread({ ...parseDatabaseUrl(url), catalog }),
    catalog,
    handlers: given.handlers,
    ...(given.middleware === undefined ? {} : { middleware: given.middleware }),
    emit,
    ticker,
    logOf: ({ type, id, attempt, fence }) => log.child({ type, id, attempt, fence }),
    concurrency: settings.concurrency,
    buffer: settings.buffer,
    queues,
    pollIntervalMs: settings.pollIntervalMs,
    maintenance: maintenanceOf(settings),
  });

  async function close(): Promise<void> {
    await waitAtMost(clock, DISCONNECT_MS, connections.close());
    server?.close();
    server?.closeAllConnections();
  }

  async function stop(code: number): Promise<void> {
    exitCode = Math.max(exitCode, code);
    if (state === 'draining') return;
    state = 'draining';
    told.abort();
    const forgive = clock.after(settings.shutdownDeadlineMs + STOP_MARGIN_MS, () => {
      log.fatal({}, 'worker.stuck');
      onStuck();
      end(1);
    });
    try {
      await worker.stop({ deadlineMs: settings.shutdownDeadlineMs });
      await close();
    } catch (error) {
      log.fatal({ fault: 'stop', err: error }, 'process.failed');
      exitCode = Math.max(exitCode, 1);
    }
    forgive();
    end(exitCode);
  }

  function fail(fault: string, error: unknown): void {
    log.fatal({ fault, err: error }, 'process.failed');
    void stop(1);
  }

  async function listen(): Promise<number | null> {
    // wake-ups may overlap, and would compete for the port
    if (once !== null || settings.workerPort === null) return null;
    server = openProbes({ catalog, connections, metrics, log, activity: () => worker.activity(), state: () => state });
    const port = await listenOn(server, { host: settings.host, port: settings.workerPort, variable: 'WORKER_PORT' });
    log.info({ host: settings.host, port, pid: process.pid }, 'http.listening');
    return port;
  }

  async function start(): Promise<void> {
    try {
      await checkDatabase(engine, url);
      const port = await listen();
      if (given.schedules !== undefined)
        await registerSchedules(engine, catalog, given.schedules, { version: given.schedulesVersion ?? 1 });
      await worker.start();
      if (state !== 'starting') return;
      state = 'running';
      given.onStarted?.({ name, port, stop: () => void stop(0) });
    } catch (error) {
      // it was stopped meanwhile, which closed the connections that the start was waiting for
      if (state !== 'starting') return;
      await close();
      throw describeStartError(error, url);
    }
    if (once !== null) void wakeOnce(once.maxRuntimeMs);
  }

  /** One wake-up: runs what is due now and stops. */
  async function wakeOnce(maxRuntimeMs: number): Promise<void> {
    const contracts = new Map(catalog.map((contract) => [contract.type, contract]));
    try {
      const result = await runOnce({
        tick: () => ticker.tick(),
        hasWork: () => hasWork(engine, { worker: name, queues, contracts }),
        maxRuntimeMs,
        signal: told.signal,
        clock,
      });
      log.info({ result, dead }, 'once.ended');
      await stop(result === 'time_over' ? 3 : dead > 0 ? 4 : 0);
    } catch (error) {
      // a statement that is on its way when the worker stops may find its connection closed
      if (!told.signal.aborted) fail('once', error);
    }
  }

  return {
    start,
    stop: (code) => void stop(code),
    hurry(code) {
      exitCode = code;
      void worker.stop({ deadlineMs: 0 });
    },
    fail,
    ended,
  };
}

function maintenanceOf(settings: Settings) {
  return {
    keepDays: settings.retentionDays,
    keepDeadDays: settings.retentionDeadDays,
    alertLimits: {
      maxDeadPerHour: settings.alertDeadPerHour,
      maxWaitingSeconds: settings.alertWaitingSeconds,
      maxUnreadSeconds: settings.alertUnreadSeconds,
      maxHorizonSeconds: settings.alertHorizonSeconds,
      maxFailedShare: settings.alertFailedPercent / 100,
    },
  };
}
