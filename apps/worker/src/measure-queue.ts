import type { QueueDepth } from '@duework/queue-core';
import { Gauge, type Registry } from 'prom-client';
import type { Probed } from './create-probe.js';

const STATES = ['due', 'scheduled', 'retrying', 'running'] as const;

export interface QueueMeasureOptions {
  readonly registry: Registry;
  /** Shown as 0 when nothing of theirs is there. */
  readonly contracts: readonly { readonly type: string; readonly queue: string }[];
  readonly readDepth: () => Promise<Probed<readonly QueueDepth[]>>;
  readonly readHorizonAge: () => Promise<Probed<number>>;
}

/**
 * Gauges of the whole queue, and a function that reads them anew before a scrape. When the database does not answer, they
 * are absent rather than old, and `duework_database_up` is 0.
 */
export function measureQueue({
  registry,
  contracts,
  readDepth,
  readHorizonAge,
}: QueueMeasureOptions): () => Promise<void> {
  const registers = [registry];
  const up = new Gauge({ name: 'duework_database_up', help: '1 when the database answered in time', registers });
  const jobs = new Gauge({
    name: 'duework_queue_jobs',
    help: 'Live jobs of all workers, by state',
    labelNames: ['queue', 'type', 'state'],
    registers,
  });
  const oldest = new Gauge({
    name: 'duework_queue_oldest_waiting_seconds',
    help: 'How long the oldest due job has been waiting',
    labelNames: ['queue', 'type'],
    registers,
  });
  const horizon = new Gauge({
    name: 'duework_horizon_age_seconds',
    help: 'For how long something has kept dead rows from being removed',
    registers,
  });
  return async () => {
    const [depth, horizonAge] = await Promise.all([readDepth(), readHorizonAge()]);
    up.set(depth.isUp ? 1 : 0);
    jobs.reset();
    oldest.reset();
    horizon.remove();
    if (horizonAge.isUp) horizon.set(horizonAge.value);
    if (!depth.isUp) return;
    const empty = contracts.map(({ type, queue }) => ({
      type,
      queue,
      due: 0,
      scheduled: 0,
      retrying: 0,
      running: 0,
      oldestWaitingSeconds: 0,
    }));
    for (const row of [...empty, ...depth.value]) {
      for (const state of STATES) jobs.set({ queue: row.queue, type: row.type, state }, row[state]);
      oldest.set({ queue: row.queue, type: row.type }, row.oldestWaitingSeconds);
    }
  };
}
