import { expect, test } from '@jest/globals';
import type { WorkerEvent } from '@duework/queue-core';
import prom from 'prom-client';
import { measureEvents } from './measure-events.js';
import { createRun } from '../testing/create-run.js';

const worker = 'tester';
const run = createRun();
const error = { code: 'timeout', type: 'AbortReason', message: '', stack: null };

function createMeasured() {
  const registry = new prom.Registry();
  const emit = measureEvents({
    prom,
    registry,
    types: ['send_invoice', 'cleanup_nightly'],
    activity: () => ({ running: 3, concurrency: 4, loopDelayMs: 40 }),
  });
  return { registry, emit };
}

test('metrics count each result of an attempt', async () => {
  const { registry, emit } = createMeasured();
  const events: WorkerEvent[] = [
    { name: 'job.succeeded', worker, run, ranMs: 200 },
    { name: 'job.succeeded', worker, run, ranMs: 300 },
    { name: 'job.failed', worker, run, ranMs: 1, error, delayMs: 1 },
    { name: 'job.dead', worker, run, ranMs: 1, error },
    { name: 'job.snoozed', worker, run, ranMs: 1, delayMs: 1 },
    { name: 'job.cancelled', worker, run, ranMs: 1 },
    { name: 'job.released', worker, run, reason: null },
    { name: 'job.left', worker, run, code: 'key_missing', keyId: 'k2', delayMs: 30_000 },
    { name: 'lease.lost', worker, run, during: 'heartbeat' },
  ];
  for (const event of events) emit(event);
  const text = await registry.metrics();
  const counts = { succeeded: 2, failed: 1, dead: 1, snoozed: 1, cancelled: 1, released: 1, left: 1, lost: 1 };
  for (const [result, count] of Object.entries(counts)) {
    expect(text).toContain(`duework_jobs_finished_total{type="send_invoice",result="${result}"} ${count}`);
    expect(text).toContain(`duework_jobs_finished_total{type="cleanup_nightly",result="${result}"} 0`);
  }
  expect(text).toContain('duework_job_run_seconds_count{type="send_invoice"} 6');
  expect(text).toContain('duework_job_run_seconds_bucket{le="0.25",type="send_invoice"} 5');
});

test('metrics show the waiting time, the slots and the rescues', async () => {
  const { registry, emit } = createMeasured();
  emit({ name: 'job.claimed', worker, run });
  emit({
    name: 'run.rescued',
    worker,
    rescued: { id: '7', type: 'send_invoice', worker: 'lost', attempt: 1, status: 'failed' },
  });
  emit({ name: 'worker.vanished', worker, vanished: 'lost' });
  const text = await registry.metrics();
  expect(text).toContain('duework_job_wait_seconds_sum{type="send_invoice"} 1.5');
  expect(text).toContain('duework_runs_rescued_total 1');
  expect(text).toContain('duework_workers_vanished_total 1');
  expect(text).toContain('duework_worker_slots 4');
  expect(text).toContain('duework_running_jobs 3');
});

test('metrics show slots and blocks of the event loop, the blocks only where the job type is certain', async () => {
  const { registry, emit } = createMeasured();
  const dueTime = { worker, schedule: 'nightly', type: 'cleanup_nightly', dueAt: new Date(0) };
  emit({ name: 'schedule.fired', ...dueTime, runId: '7', lateMs: 1 } as WorkerEvent);
  emit({ name: 'schedule.skipped', ...dueTime, reason: 'missed', count: 3 } as WorkerEvent);
  for (const isCertain of [true, false])
    emit({ name: 'loop.blocked', worker, blockedMs: 300, suspects: [{ run }], isCertain });
  const text = await registry.metrics();
  expect(text).toContain('duework_due_times_total{outcome="fired"} 1');
  expect(text).toContain('duework_due_times_total{outcome="skipped"} 3');
  expect(text).toContain('duework_event_loop_blocks_total{type="send_invoice"} 1');
  expect(text).toContain('duework_event_loop_delay_seconds 0.04');
});
