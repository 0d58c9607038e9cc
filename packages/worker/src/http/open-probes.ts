import type { Server } from 'node:http';
import type { Catalog } from '@duework/contracts';
import {
  readDepthForAlerts,
  readHorizonAge,
  readNow,
  readUnservedJobs,
  systemClock as clock,
  type WorkerActivity,
} from '@duework/queue-core';
import { createProbe } from './create-probe.js';
import { createProbeServer } from './create-probe-server.js';
import type { Metrics } from '../metrics/load-metrics.js';
import { measureQueue } from '../metrics/measure-queue.js';
import type { Connections } from '../open-connections.js';
import type { Log } from '../logs/worker-log.js';

export type WorkerState = 'starting' | 'running' | 'draining';

/** The server of the probes and the metrics, which does not listen yet. */
export function openProbes({
  catalog,
  connections,
  metrics,
  log,
  activity,
  state,
}: {
  readonly catalog: Catalog;
  readonly connections: Connections;
  readonly metrics: Metrics | null;
  readonly log: Log;
  readonly activity: () => WorkerActivity;
  readonly state: () => WorkerState;
}): Server {
  const { engine, figures } = connections;
  const pingDatabase = createProbe(() => readNow(engine), { freshMs: 2_000, limitMs: 1_000, clock });
  const anew = { freshMs: 0, limitMs: 1_000, clock };
  const readUnserved = createProbe(() => readUnservedJobs(figures), anew);
  const refreshGauges =
    metrics === null
      ? async () => {}
      : measureQueue({
          ...metrics,
          contracts: catalog,
          pingDatabase,
          readDepth: createProbe(() => readDepthForAlerts(figures), anew),
          readUnserved,
          readHorizonAge: createProbe(() => readHorizonAge(figures), anew),
        });
  const registry = metrics?.registry ?? null;
  return createProbeServer({ registry, refreshGauges, pingDatabase, readUnserved, activity, state, log });
}
