import { AsyncResource } from 'node:async_hooks';
import type { Catalog } from '@duework/contracts';
import {
  createWorker,
  parseKeyRing,
  setKeyRing,
  type EmitEvent,
  type Store,
  type Worker,
  type WorkerOptions,
} from '@duework/queue-core';
import { newestMigration } from '@duework/database';
import type { Mailer } from './alerts/load-mailer.js';
import { planAlerts } from './alerts/plan-alerts.js';
import type { Metrics } from './metrics/load-metrics.js';
import { logEvents } from './logs/log-events.js';
import { measureEvents } from './metrics/measure-events.js';
import type { RunWorkerOptions, StartedWorker } from './run-worker-options.js';
import type { Settings } from './settings/settings.js';
import { watchSafely } from './logs/watch-safely.js';
import type { Log } from './logs/worker-log.js';

/** A worker that was only woken may be gone by then, and does it at once. */
const SELDOM_AFTER_MS = 5_000;

export interface AssembleOptions<TCatalog extends Catalog, TAdded extends object> {
  readonly given: RunWorkerOptions<TCatalog, TAdded>;
  readonly settings: Settings;
  readonly log: Log;
  readonly metrics: Metrics | null;
  /** null: alerts are not mailed. */
  readonly mailer: Mailer | null;
  /** null: it runs until it is stopped. */
  readonly once: { readonly maxRuntimeMs: number } | null;
}

/** What is different from one store to the next. */
export interface OverStore {
  readonly store: Store;
  /** The id of a job as those outside of its store know it. */
  readonly nameOf?: (id: string) => string;
  readonly describeError: Parameters<typeof logEvents>[1];
  /** Hears each event; it never fails. */
  readonly hear?: EmitEvent;
  /** What the worker does beside its jobs, given what emits its events. */
  readonly own?: (emit: EmitEvent) => Pick<WorkerOptions<Catalog>, 'leases' | 'ticker' | 'chores'>;
}

export interface Assembled {
  readonly worker: Worker;
  /** How many jobs were given up so far. */
  readonly countDead: () => number;
}

/** Makes the worker with all that listens to its events; nothing of it has begun. */
export function assembleWorker<TCatalog extends Catalog, TAdded extends object>(
  { given, settings, log, metrics, mailer, once }: AssembleOptions<TCatalog, TAdded>,
  { store, nameOf = (id) => id, describeError, hear = () => {}, own = () => ({}) }: OverStore,
): Assembled {
  const { catalog } = given;
  const { workerName: name, concurrency } = settings;
  if (settings.dueworkKeys !== undefined) setKeyRing(parseKeyRing(settings.dueworkKeys));
  let dead = 0;
  const listeners: EmitEvent[] = [
    logEvents(log, describeError, nameOf),
    hear,
    (event) => {
      if (event.name === 'job.dead') dead++;
    },
  ];
  const emit: EmitEvent = (event) => {
    for (const listen of listeners) listen(event);
  };
  const worker = createWorker<TCatalog, TAdded>({
    name,
    store,
    catalog,
    codeVersion: given.codeVersion,
    needs: newestMigration,
    handlers: given.handlers,
    backoffs: given.backoffs,
    ...(given.middleware === undefined ? {} : { middleware: given.middleware }),
    emit,
    keepLogs: given.keepLogs,
    logOf: ({ type, id, attempt, fence }) => log.child({ type, id: nameOf(id), attempt, fence }),
    concurrency,
    buffer: settings.buffer,
    labels: settings.labels,
    queues: settings.queues,
    pollIntervalMs: settings.pollIntervalMs,
    maintenance: {
      ...maintenanceOf(settings),
      alerts: planAlerts(settings, mailer, log),
      seldomAfterMs: once === null ? SELDOM_AFTER_MS : 0,
    },
    ...own(emit),
  });
  const types = catalog.map(({ type }) => type);
  if (metrics !== null) listeners.push(measureEvents({ ...metrics, types, activity: () => worker.activity() }));
  if (given.onEvent !== undefined) listeners.push(startApart(given.onEvent, log));
  return { worker, countDead: () => dead };
}

/** A caller who fails to hear that it has started does not keep it from running. */
export function tellStarted(
  { onStarted }: Pick<RunWorkerOptions<Catalog>, 'onStarted'>,
  log: Pick<Log, 'error'>,
  started: StartedWorker,
): void {
  watchSafely(
    () => onStarted?.(started),
    (error) => log.error({ err: error }, 'listener.failed'),
  );
}

/**
 * Each call starts in the context in which the worker was made, whatever an earlier one, or a handler, has left behind.
 * That it fails is logged once, and changes nothing for the jobs.
 */
function startApart(listener: EmitEvent, log: Pick<Log, 'error'>): EmitEvent {
  const here = new AsyncResource('DueworkWorker');
  let hasFailed = false;
  const onFault = (error: unknown): void => {
    if (!hasFailed) log.error({ err: error }, 'listener.failed');
    hasFailed = true;
  };
  return (event) =>
    here.runInAsyncScope(() =>
      new AsyncResource('DueworkEvent').runInAsyncScope(() => watchSafely(() => listener(event), onFault)),
    );
}

function maintenanceOf(settings: Settings) {
  return {
    keepDays: settings.retentionDays,
    keepDeadDays: settings.retentionDeadDays,
    keepAuditDays: settings.retentionAuditDays,
    diskGb: settings.diskGb,
  };
}
