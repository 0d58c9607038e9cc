import type { QueueDepth, UnservedJobs } from '@duework/queue-core';
import type { Probed } from '../http/create-probe.js';
import type { Metrics } from './load-metrics.js';

const DATABASE_UP = { name: 'duework_database_up', help: '1 when the database answered in time' };
const STATES = ['due', 'scheduled', 'retrying', 'running', 'held'] as const;

export interface QueueMeasureOptions extends Metrics {
  /** The gauge that says whether what has the jobs answers. Default: that of a database. */
  readonly up?: { readonly name: string; readonly help: string };
  /** The types that are shown as 0 when they have no run. */
  readonly contracts: readonly { readonly type: string; readonly queue: string }[];
  /**
   * Separate from the counts, which may take longer than a scrape waits and so cannot say whether the database is up.
   */
  readonly pingDatabase: () => Promise<Probed<unknown>>;
  readonly readDepth: () => Promise<Probed<readonly QueueDepth[]>>;
  readonly readUnserved: () => Promise<Probed<readonly UnservedJobs[]>>;
  readonly readHorizonAge: () => Promise<Probed<number>>;
}

/**
 * Gauges of the whole queue, and a function that reads them anew before a scrape. A figure that does not come in time
 * is absent rather than old; `duework_database_up` is 0 only when the database does not even answer a ping.
 */
export function measureQueue({
  up: answers = DATABASE_UP,
  prom: { Gauge },
  registry,
  contracts,
  pingDatabase,
  readDepth,
  readUnserved,
  readHorizonAge,
}: QueueMeasureOptions): () => Promise<void> {
  const registers = [registry];
  const up = new Gauge({ ...answers, registers });
  const jobs = new Gauge({
    name: 'duework_queue_jobs',
    help: 'Live jobs of all workers, by state',
    labelNames: ['queue', 'type', 'state'],
    registers,
  });
  const oldest = new Gauge({
    name: 'duework_queue_oldest_waiting_seconds',
    help: 'How long the oldest due job has been waiting; 0 where it is paused',
    labelNames: ['queue', 'type'],
    registers,
  });
  const atLeast = new Gauge({
    name: 'duework_queue_jobs_at_least',
    help: '1 where more is in this queue than was counted: its figures then say at least',
    labelNames: ['queue'],
    registers,
  });
  const unservedJobs = new Gauge({
    name: 'duework_queue_unserved_jobs',
    help: 'Due jobs that no worker that lives can read',
    labelNames: ['queue', 'type', 'version'],
    registers,
  });
  const horizon = new Gauge({
    name: 'duework_horizon_age_seconds',
    help: 'For how long something has kept dead rows from being removed',
    registers,
  });
  return async () => {
    const [ping, depth, unserved, horizonAge] = await Promise.all([
      pingDatabase(),
      readDepth(),
      readUnserved(),
      readHorizonAge(),
    ]);
    up.set(ping.isUp ? 1 : 0);
    jobs.reset();
    atLeast.reset();
    oldest.reset();
    unservedJobs.reset();
    horizon.remove();
    if (unserved.isUp)
      for (const { queue, type, version, waiting } of unserved.value)
        unservedJobs.set({ queue, type, version }, waiting);
    if (horizonAge.isUp) horizon.set(horizonAge.value);
    if (!depth.isUp) return;
    const empty = contracts.map(({ type, queue }) => ({
      type,
      queue,
      due: 0,
      scheduled: 0,
      held: 0,
      retrying: 0,
      running: 0,
      oldestWaitingSeconds: 0,
      isAtLeast: false,
    }));
    for (const row of [...empty, ...depth.value]) {
      for (const state of STATES) jobs.set({ queue: row.queue, type: row.type, state }, row[state]);
      oldest.set({ queue: row.queue, type: row.type }, row.oldestWaitingSeconds);
      atLeast.set({ queue: row.queue }, row.isAtLeast ? 1 : 0);
    }
  };
}
