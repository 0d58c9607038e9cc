import type { Job, JobAttempt } from '@duework/queue-core';
import { formatTable } from '../output/format-table.js';

/** A job as lines of names and values, without those that say nothing; its attempts below. */
export function showJob(job: Job, attempts: readonly JobAttempt[]): string {
  const facts: readonly (readonly [string, string | null])[] = [
    ['job', `${job.id}, ${job.type} version ${job.version}`],
    ['status', `${job.status}, ${job.attempts} of ${job.maxAttempts} attempts`],
    ['queue', `${job.queue}, priority ${job.priority}`],
    ['key', job.idempotencyKey],
    ['payload', JSON.stringify(job.payload)],
    ['created', job.createdAt.toISOString()],
    ['due', job.runAt.toISOString()],
    ['worker', job.worker],
    ['finished', job.finishedAt?.toISOString() ?? null],
    ['result', job.result === null ? null : JSON.stringify(job.result)],
    ['progress', job.progress === null ? null : JSON.stringify(job.progress)],
    ['error', job.lastError === null ? null : `${job.errorCode}: ${job.lastError}`],
    ['cancelled', job.cancelReason],
  ];
  const lines = facts.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(10)}${value}\n`]));
  if (attempts.length === 0) return lines.join('');
  const rows = attempts.map(({ attempt, outcome, finishedAt, worker, errorCode, errorMessage }) => [
    String(attempt),
    outcome,
    finishedAt.toISOString(),
    worker,
    `${errorCode ?? ''} ${errorMessage ?? ''}`.trim(),
  ]);
  return `${lines.join('')}\n${formatTable(['ATTEMPT', 'OUTCOME', 'ENDED', 'WORKER', 'ERROR'], rows, '')}`;
}
