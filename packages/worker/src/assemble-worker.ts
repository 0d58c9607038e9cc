import { setTimeout } from 'node:timers/promises';
import type { Catalog } from '@duework/contracts';
import { parseDatabaseUrl } from '@duework/database';
import {
  createPostgresStore,
  createWorker,
  heartbeatInThread,
  parseKeyRing,
  setKeyRing,
  type EmitEvent,
  type Ticker,
  type Worker,
} from '@duework/queue-core';
import { stepBulkActions } from '@duework/operate';
import { nameId } from '@duework/queue-core/internals';
import { createTicker } from '@duework/schedules';
import type { Mailer } from './alerts/load-mailer.js';
import { alertLimitsOf } from './alerts/alert-limits-of.js';
import { mailAlerts } from './alerts/mail-alerts.js';
import { postAlerts } from './alerts/post-alerts.js';
import { readClock } from './clock.js';
import type { Metrics } from './metrics/load-metrics.js';
import { logEvents } from './logs/log-events.js';
import { measureEvents } from './metrics/measure-events.js';
import { openConnections, type Connections } from './open-connections.js';
import type { RunWorkerOptions } from './run-worker-options.js';
import type { Settings } from './settings/settings.js';
import type { Log } from './logs/worker-log.js';

/** How soon a worker moves an action on whose process has gone. */
const BULK_INTERVAL_MS = 2_000;

export interface AssembleOptions<TCatalog extends Catalog, TAdded extends object> {
  readonly given: RunWorkerOptions<TCatalog, TAdded>;
  readonly settings: Settings;
  readonly log: Log;
  readonly metrics: Metrics | null;
  /** null: alerts are not mailed. */
  readonly mailer: Mailer | null;
}

export interface Assembled {
  readonly worker: Worker;
  readonly ticker: Ticker;
  readonly connections: Connections;
  /** How many jobs were given up so far. */
  readonly countDead: () => number;
}

/** Makes the worker with its connections, its ticker and all that listens to its events; nothing of it has begun. */
export function assembleWorker<TCatalog extends Catalog, TAdded extends object>({
  given,
  settings,
  log,
  metrics,
  mailer,
}: AssembleOptions<TCatalog, TAdded>): Assembled {
  const { catalog } = given;
  const { databaseUrl: url, workerName: name, concurrency } = settings;
  if (settings.dueworkKeys !== undefined) setKeyRing(parseKeyRing(settings.dueworkKeys));
  const connections = openConnections({ url, prisma: given.prisma, log });
  const store = createPostgresStore({ db: connections.engine });
  const nameOf = (id: string): string => (store.shard === undefined ? id : nameId(store.shard, id));
  let dead = 0;
  const listeners: EmitEvent[] = [
    logEvents(log, url, nameOf),
    postAlerts({ log, url: settings.alertWebhookUrl, now: readClock }),
    mailAlerts({ log, mailer, now: readClock, pause: (ms) => setTimeout(ms, undefined, { ref: false }) }),
    (event) => {
      if (event.name === 'job.dead') dead++;
    },
  ];
  const emit: EmitEvent = (event) => {
    for (const listen of listeners) listen(event);
  };
  const ticker = createTicker({ db: connections.engine, catalog, worker: name, emit });
  const worker = createWorker<TCatalog, TAdded>({
    name,
    store,
    leases: heartbeatInThread({ ...parseDatabaseUrl(url), catalog }),
    catalog,
    codeVersion: given.codeVersion,
    handlers: given.handlers,
    ...(given.middleware === undefined ? {} : { middleware: given.middleware }),
    emit,
    ticker,
    keepLogs: given.keepLogs,
    logOf: ({ type, id, attempt, fence }) => log.child({ type, id: nameOf(id), attempt, fence }),
    concurrency,
    buffer: settings.buffer,
    queues: settings.queues,
    pollIntervalMs: settings.pollIntervalMs,
    maintenance: maintenanceOf(settings),
    chores: [
      {
        name: 'bulk_actions',
        intervalMs: BULK_INTERVAL_MS,
        act: (signal) => stepBulkActions(connections.engine, catalog, signal),
      },
    ],
  });
  const types = catalog.map(({ type }) => type);
  if (metrics !== null)
    listeners.push(measureEvents({ ...metrics, types, slots: concurrency, activity: () => worker.activity() }));
  if (given.onEvent !== undefined) listeners.push(given.onEvent);
  return { worker, ticker, connections, countDead: () => dead };
}

function maintenanceOf(settings: Settings) {
  return {
    keepDays: settings.retentionDays,
    keepDeadDays: settings.retentionDeadDays,
    keepAuditDays: settings.retentionAuditDays,
    alertLimits: alertLimitsOf(settings),
  };
}
