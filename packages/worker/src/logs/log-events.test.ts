import { describeDatabaseError } from '@duework/database';
import { expect, test } from '@jest/globals';
import type { WorkerEvent } from '@duework/queue-core';
import { pino } from 'pino';
import { logEvents } from './log-events.js';
import { createRun } from '../testing/create-run.js';

const DATABASE_URL = 'postgres://duework:geheim@127.0.0.1:5432/duework';
const worker = 'tester';
const run = createRun({
  payload: { orderId: 812, secret: 'whisper' },
  idempotencyKey: 'whisper',
  attempt: 2,
  fence: 5,
});
const error = { code: 'ECONNREFUSED', type: 'SmtpError', message: 'whisper', stack: 'whisper' };
const alert = {
  name: 'too_many_dead_jobs',
  subject: '',
  severity: 'warning',
  facts: { deadInTheLastHour: 11, limit: 10 },
  raisedAt: new Date(0),
  message: 1,
  isFirst: true,
  ways: [],
} as const;
const LEVELS: Readonly<Record<number, string>> = { 30: 'info', 40: 'warn', 50: 'error' };

const events: readonly (readonly [string, WorkerEvent])[] = [
  ['info', { name: 'worker.started', worker, types: ['send_invoice'], queues: ['default'], concurrency: 10 }],
  ['warn', { name: 'contract.changed', worker, type: 'send_receipt', version: 2 }],
  ['info', { name: 'worker.draining', worker, running: 1, buffered: 0, deadlineMs: 10_000 }],
  ['info', { name: 'worker.stopped', worker, released: 0, drainMs: 12.3456 }],
  ['info', { name: 'job.claimed', worker, run }],
  ['info', { name: 'job.succeeded', worker, run, ranMs: 1 }],
  ['warn', { name: 'job.failed', worker, run, ranMs: 1, error, delayMs: 10_000 }],
  ['error', { name: 'job.dead', worker, run, ranMs: 1, error }],
  ['info', { name: 'job.snoozed', worker, run, ranMs: 1, delayMs: 10_000 }],
  ['info', { name: 'job.cancelled', worker, run, ranMs: 1 }],
  ['info', { name: 'job.released', worker, run, reason: null }],
  ['warn', { name: 'job.left', worker, run, code: 'key_missing', keyId: 'k2', delayMs: 30_000 }],
  ['warn', { name: 'job.overran', worker, run, ranMs: 1 }],
  ['warn', { name: 'lease.lost', worker, run, during: 'settle' }],
  [
    'warn',
    {
      name: 'run.rescued',
      worker,
      rescued: { id: '7', type: 'send_invoice', worker: 'lost', attempt: 2, status: 'failed' },
    },
  ],
  ['warn', { name: 'worker.vanished', worker, vanished: 'lost' }],
  ['info', { name: 'history.pruned', worker, made: 1, dropped: 0 }],
  ['info', { name: 'index.rebuilt', worker, index: 'job_runs_pkey', beforeBytes: 9, afterBytes: 1 }],
  ['warn', { name: 'index.left', worker, index: 'job_runs_pkey', reason: 'lock_held', who: null }],
  ['info', { name: 'gates.changed', worker, types: ['mail'], looked: 7, changed: 5, unusable: 0, isAll: true }],
  ['warn', { name: 'gates.changed', worker, types: ['mail'], looked: 7, changed: 5, unusable: 1, isAll: false }],
  [
    'error',
    {
      name: 'alert.raised',
      worker,
      alert: { ...alert, status: 'raised', resolvedAt: null },
    },
  ],
  ['info', { name: 'alert.resolved', worker, alert: { ...alert, status: 'resolved', resolvedAt: new Date(60_000) } }],
  ['warn', { name: 'loop.blocked', worker, blockedMs: 300, suspects: [{ run }], isCertain: true }],
  [
    'error',
    {
      name: 'database.failed',
      worker,
      during: 'claim',
      error: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      failures: 1,
    },
  ],
  ['info', { name: 'database.recovered', worker, during: 'claim', failures: 3 }],
];

function logged(event: WorkerEvent): Record<string, unknown>[] {
  const lines: string[] = [];
  logEvents(pino({ level: 'trace' }, { write: (line) => void lines.push(line) }), (error) =>
    describeDatabaseError(error, DATABASE_URL),
  )(event);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test.each(events)('each event becomes one log line, here at level %s', (level, event) => {
  const lines = logged(event);
  expect(lines).toHaveLength(1);
  expect(lines[0]!['msg']).toBe(event.name);
  expect(LEVELS[lines[0]!['level'] as number]).toBe(level);
});

test('a log line about a job has its type, id, attempt, fence and result', () => {
  for (const [, event] of events.filter(([, candidate]) => 'run' in candidate)) {
    expect(logged(event)[0]).toMatchObject({ type: 'send_invoice', id: '7', attempt: 2, fence: 5 });
  }
  expect(logged({ name: 'job.failed', worker, run, ranMs: 12.34, error, delayMs: 10_000 })[0]).toMatchObject({
    result: 'failed',
    errorCode: 'ECONNREFUSED',
    errorType: 'SmtpError',
    ranMs: 12.3,
    retryInMs: 10_000,
  });
});

test('log lines never contain a payload, a key, an error text or a password', () => {
  const text = JSON.stringify(events.flatMap(([, event]) => logged(event)));
  expect(text).not.toContain('whisper');
  expect(text).not.toContain('geheim');
});
