import { alertNames, type EmitEvent, type WorkerActivity, type WorkerEvent } from '@duework/queue-core';
import type { Metrics } from './load-metrics.js';

/** The results that an attempt can have. */
const RESULTS = ['succeeded', 'failed', 'dead', 'snoozed', 'cancelled', 'released', 'left', 'lost'] as const;
type Result = (typeof RESULTS)[number];

const WAIT_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200];
const RUN_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export interface MeasureOptions extends Metrics {
  readonly types: readonly string[];
  readonly activity: () => Pick<WorkerActivity, 'running' | 'concurrency' | 'loopDelayMs'>;
}

/** Counts events. Every series exists from the start, because a rate needs a first value. */
export function measureEvents({ prom, registry, types, activity }: MeasureOptions): EmitEvent {
  const { Counter, Gauge, Histogram } = prom;
  const registers = [registry];
  const finished = new Counter({
    name: 'duework_jobs_finished_total',
    help: 'Attempts that ended, by what they came to',
    labelNames: ['type', 'result'],
    registers,
  });
  const waited = new Histogram({
    name: 'duework_job_wait_seconds',
    help: 'From due to claimed',
    labelNames: ['type'],
    buckets: WAIT_BUCKETS,
    registers,
  });
  const ran = new Histogram({
    name: 'duework_job_run_seconds',
    help: 'How long a handler ran',
    labelNames: ['type'],
    buckets: RUN_BUCKETS,
    registers,
  });
  const rescued = new Counter({
    name: 'duework_runs_rescued_total',
    help: 'Runs of lost workers that this worker gave back',
    registers,
  });
  const vanished = new Counter({
    name: 'duework_workers_vanished_total',
    help: 'Workers that this worker took for dead',
    registers,
  });
  /** What is read whenever somebody looks. */
  const gauge = (name: string, help: string, read: () => number): void =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read());
        },
      }),
    );
  gauge('duework_worker_slots', 'Handlers that may run at once', () => activity().concurrency);
  gauge('duework_running_jobs', 'Handlers that are running', () => activity().running);
  gauge(
    'duework_event_loop_delay_seconds',
    'How late the event loop was lately, in 99 of 100 looks',
    () => activity().loopDelayMs / 1_000,
  );
  const loopBlocks = new Counter({
    name: 'duework_event_loop_blocks_total',
    help: 'Blocks of the event loop that a type has certainly caused',
    labelNames: ['type'],
    registers,
  });
  const scheduled = new Counter({
    name: 'duework_due_times_total',
    help: 'Due times of schedules',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['fired', 'skipped']) scheduled.inc({ outcome }, 0);
  const alerts = new Counter({
    name: 'duework_alerts_raised_total',
    help: 'Alerts that this worker raised',
    labelNames: ['alert'],
    registers,
  });
  for (const alert of alertNames) alerts.inc({ alert }, 0);
  for (const type of types) {
    for (const result of RESULTS) finished.inc({ type, result }, 0);
    loopBlocks.inc({ type }, 0);
    waited.zero({ type });
    ran.zero({ type });
  }

  return (event) => {
    if (event.name === 'job.claimed') waited.observe({ type: event.run.type }, event.run.waitedMs / 1_000);
    if (event.name === 'run.rescued') rescued.inc();
    if (event.name === 'worker.vanished') vanished.inc();
    if (event.name === 'alert.raised') alerts.inc({ alert: event.alert.name });
    if (event.name === 'schedule.fired') scheduled.inc({ outcome: 'fired' });
    if (event.name === 'schedule.skipped') scheduled.inc({ outcome: 'skipped' }, event.count);
    if (event.name === 'loop.blocked' && event.isCertain)
      for (const { run } of event.suspects) loopBlocks.inc({ type: run.type });
    const result = resultOf(event.name);
    if (result === null || !('run' in event)) return;
    finished.inc({ type: event.run.type, result });
    if ('ranMs' in event) ran.observe({ type: event.run.type }, event.ranMs / 1_000);
  };
}

function resultOf(name: WorkerEvent['name']): Result | null {
  switch (name) {
    case 'job.succeeded':
      return 'succeeded';
    case 'job.failed':
      return 'failed';
    case 'job.dead':
      return 'dead';
    case 'job.snoozed':
      return 'snoozed';
    case 'job.cancelled':
      return 'cancelled';
    case 'job.released':
      return 'released';
    case 'job.left':
      return 'left';
    case 'lease.lost':
      return 'lost';
    default:
      return null;
  }
}
