import type { Job } from '@duework/queue-core';
import { cleanText } from '../output/clean-text.js';
import { formatMoment } from '../output/format-moment.js';
import { type Look, paint } from '../output/look.js';
import { statusCell } from '../output/status-cell.js';

const STATUS_WIDTH = 9;

/** A job as one line: when it came to its status, its id and type, and what there is to say of it. */
export function showLine(job: Job, look: Look): string {
  const cell = statusCell(job.status);
  const { text, style } = typeof cell === 'string' ? { text: cell, style: undefined } : cell;
  const facts = [
    job.status === 'failed' ? `attempt ${job.attempts} of ${job.maxAttempts}, again at ${formatMoment(job.runAt)}` : '',
    job.status === 'running' && job.progress !== null && job.progress !== undefined ? JSON.stringify(job.progress) : '',
    job.status === 'failed' || job.status === 'dead' ? `${job.errorCode ?? ''} ${job.lastError ?? ''}`.trim() : '',
    job.cancelReason ?? '',
  ].filter((fact) => fact !== '');
  const line = [formatMoment(sinceOf(job)), job.id, job.type].join('  ');
  return (
    `${line}  ${paint(look, style, text)}${' '.repeat(STATUS_WIDTH - text.length)}  ${cleanText(facts.join('; '))}`.trimEnd() +
    '\n'
  );
}

function sinceOf({ status, finishedAt, claimedAt, failedAt, createdAt }: Job): Date {
  if (finishedAt !== null) return finishedAt;
  if (status === 'running') return claimedAt ?? createdAt;
  return (status === 'failed' ? failedAt : null) ?? createdAt;
}
