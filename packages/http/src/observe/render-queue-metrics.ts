import type { Catalog } from '@duework/contracts';
import { readDepthForAlerts, readNow, readUnservedJobs, type Queryable, type QueueDepth } from '@duework/queue-core';
import { Gauge, Registry } from 'prom-client';
import { countDeadJobs } from '../sql/count-dead-jobs.js';
import { within } from '../within.js';

const LIMIT_MS = 2_000;
const STATES = ['due', 'scheduled', 'retrying', 'running', 'held'] as const;

/**
 * The state of the queue as Prometheus text, read now. When the database is away it is one series, `duework_database_up
 * 0`: a scrape that fails would hide the metrics of this process just when they matter. Counts that take too long are
 * left out, and do not affect `duework_database_up`.
 */
export async function renderQueueMetrics(db: Queryable, catalog: Catalog): Promise<string> {
  // One registry per scrape: two scrapes at once cannot mix, and a type that is gone leaves no series behind.
  const registry = new Registry();
  const gauge = <T extends string>(name: string, help: string, labelNames: T[] = []): Gauge<T> =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const up = gauge('duework_database_up', '1 when the database answered this scrape');
  const [ping, counts] = await Promise.allSettled([
    within(LIMIT_MS, readNow(db)),
    within(LIMIT_MS, Promise.all([readDepthForAlerts(db), countDeadJobs(db), readUnservedJobs(db)])),
  ]);
  up.set(ping.status === 'fulfilled' ? 1 : 0);
  if (counts.status === 'fulfilled') {
    const [depths, deadCount, unserved] = counts.value;
    setDepths(registry, depths, catalog);
    const unservedJobs = gauge('duework_unserved_jobs', 'Due jobs that no worker that lives can read', [
      'queue',
      'type',
      'version',
    ]);
    for (const { queue, type, version, waiting: count } of unserved) unservedJobs.set({ queue, type, version }, count);
    gauge('duework_dead_jobs_last_hour', 'Jobs given up within the last hour').set(deadCount);
  }
  return registry.metrics();
}

/** The state of a queue without a database as Prometheus text; `depths` is null where it did not answer. */
export function renderDepths(depths: readonly QueueDepth[] | null, catalog: Catalog): Promise<string> {
  const registry = new Registry();
  const up = new Gauge({
    name: 'duework_queue_up',
    help: '1 when the queue answered this scrape',
    registers: [registry],
  });
  up.set(depths === null ? 0 : 1);
  if (depths !== null) setDepths(registry, depths, catalog);
  return registry.metrics();
}

/** What waits and runs, by queue and type. */
function setDepths(registry: Registry, depths: readonly QueueDepth[], catalog: Catalog): void {
  const gauge = <T extends string>(name: string, help: string, labelNames: T[]): Gauge<T> =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const atLeast = gauge(
    'duework_jobs_at_least',
    '1 where more is in this queue than was counted: its figures then say at least',
    ['queue'],
  );
  const jobs = gauge('duework_jobs', 'Live jobs by queue, type and state', ['queue', 'type', 'state']);
  const waiting = gauge(
    'duework_oldest_waiting_seconds',
    'For how long the oldest due job has been waiting; 0 where it is paused',
    ['queue', 'type'],
  );
  for (const { queue, type, oldestWaitingSeconds, isAtLeast, ...states } of addIdleTypes(depths, catalog)) {
    for (const state of STATES) jobs.set({ queue, type, state }, states[state]);
    atLeast.set({ queue }, isAtLeast ? 1 : 0);
    waiting.set({ queue, type }, oldestWaitingSeconds);
  }
}

/** A type without runs counts 0, because an alert on a series that comes and goes cannot be trusted. */
function addIdleTypes(depths: readonly QueueDepth[], catalog: Catalog): QueueDepth[] {
  const known = new Set(depths.map(({ type }) => type));
  const idle = catalog.filter(({ type }) => !known.has(type));
  return [
    ...depths,
    ...idle.map(({ queue, type }) => ({
      queue,
      type,
      due: 0,
      scheduled: 0,
      held: 0,
      retrying: 0,
      running: 0,
      oldestWaitingSeconds: 0,
      isAtLeast: false,
    })),
  ];
}
