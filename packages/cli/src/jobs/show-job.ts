import type { Explanation } from '@duework/operate';
import type { Job, JobAttempt, JobGate } from '@duework/queue-core';
import { formatFacts } from '../output/format-facts.js';
import { formatMoment } from '../output/format-moment.js';
import { formatTable } from '../output/format-table.js';
import type { Look } from '../output/look.js';

/** What is known of a job beside itself; null: nothing, or nobody asked. */
interface Known {
  readonly why: Explanation | null;
  readonly parent: string | null;
}

/** A job as lines of names and values, without those that say nothing; its attempts below. */
export function showJob(job: Job, attempts: readonly JobAttempt[], { why, parent }: Known, look: Look): string {
  const status = job.isSuspended ? 'waiting' : job.status;
  const facts = formatFacts(
    [
      ['job', `${job.id}, ${job.type} version ${job.version}`],
      ['status', `${status}, ${job.attempts} of ${job.maxAttempts} attempts`],
      ['why', why?.sentence ?? null],
      ['parent', parent === null ? null : `job ${parent}`],
      ['queue', `${job.queue}, priority ${job.priority}`],
      ['key', job.idempotencyKey],
      ['batch', job.batch],
      // a key of an API may lack the right to see these
      ['payload', showJson(job.payload)],
      ['created', formatMoment(job.createdAt)],
      ['due', formatMoment(job.runAt)],
      ['waits at', job.heldBy],
      // nor these
      ['gates', job.gates === undefined || job.gates.length === 0 ? null : job.gates.map(showGate).join(', ')],
      ['worker', job.worker],
      ['finished', job.finishedAt === null ? null : formatMoment(job.finishedAt)],
      ['result', showJson(job.result)],
      ['progress', showJson(job.progress)],
      ['error', job.lastError === null || status === 'succeeded' ? null : `${job.errorCode}: ${job.lastError}`],
      ['cancelled', job.cancelReason],
    ],
    look,
  );
  if (attempts.length === 0) return facts;
  const rows = attempts.map(({ attempt, outcome, finishedAt, worker, errorCode, errorMessage }) => [
    String(attempt),
    outcome,
    formatMoment(finishedAt),
    worker,
    `${errorCode ?? ''} ${errorMessage ?? ''}`.trim(),
  ]);
  return `${facts}\n${formatTable(['ATTEMPT', 'OUTCOME', 'ENDED', 'WORKER', 'ERROR'], rows, '', look)}`;
}

const showGate = ({ key, units }: JobGate): string => (units === 1 ? key : `${key} (${units})`);

const showJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);
