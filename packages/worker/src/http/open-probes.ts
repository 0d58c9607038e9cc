import type { Catalog } from '@duework/contracts';
import {
  readDepthForAlerts,
  readHorizonAge,
  readNow,
  readUnservedJobs,
  systemClock as clock,
  type UnservedJobs,
  type WorkerActivity,
} from '@duework/queue-core';
import { createProbe, type Probed } from './create-probe.js';
import type { ProbeServerOptions } from './create-probe-server.js';
import { judgeReadiness } from './judge-readiness.js';
import type { Metrics } from '../metrics/load-metrics.js';
import { measureQueue } from '../metrics/measure-queue.js';
import type { Connections } from '../open-connections.js';

export type WorkerState = 'starting' | 'running' | 'draining';

/** What the server of probes and metrics asks of a worker. */
export type Probes = Pick<ProbeServerOptions, 'registry' | 'refreshGauges' | 'readReadiness'>;

/** The probes of one worker on its database. */
export function openProbes({
  catalog,
  connections,
  metrics,
  activity,
  state,
}: {
  readonly catalog: Catalog;
  readonly connections: Connections;
  readonly metrics: Metrics | null;
  readonly activity: () => WorkerActivity;
  readonly state: () => WorkerState;
}): Probes {
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
  return {
    registry: metrics?.registry ?? null,
    refreshGauges,
    async readReadiness(isVerbose) {
      const isUp = state() === 'running' && (await pingDatabase()).isUp;
      const readiness = judgeReadiness(state(), isUp, activity());
      return isVerbose && isUp ? { ...readiness, unserved: toDetail(await readUnserved()) } : readiness;
    },
  };
}

/** Which types and versions wait without a worker that can read them; null: that was not found out in time. */
function toDetail(unserved: Probed<readonly UnservedJobs[]>): readonly UnservedJobs[] | null {
  return unserved.isUp ? unserved.value : null;
}
