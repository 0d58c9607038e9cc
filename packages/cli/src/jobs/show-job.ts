import type { AuditEntry, Explanation } from '@duework/operate';
import type { Job, JobAttempt, JobGate } from '@duework/queue-core';
import { cleanText } from '../output/clean-text.js';
import { formatFacts } from '../output/format-facts.js';
import { formatMoment } from '../output/format-moment.js';
import { formatTable } from '../output/format-table.js';
import type { Look } from '../output/look.js';

/** What is known of a job beside itself; null: nothing, or nobody asked. */
interface Known {
  readonly why: Explanation | null;
  readonly parent: string | null;
  /** What people did to it, the first first. */
  readonly deeds: readonly AuditEntry[];
}

/** A job as lines of names and values, without those that say nothing; its attempts, and what people did to it, below. */
export function showJob(job: Job, attempts: readonly JobAttempt[], { why, parent, deeds }: Known, look: Look): string {
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
      [
        'error',
        job.lastError === null || status === 'succeeded'
          ? null
          : showError(job.errorCode, job.errorType, job.lastError),
      ],
      ['cancelled', job.cancelReason],
    ],
    look,
  );
  const parts = [facts, showAttempts(attempts, look), showDeeds(deeds, look), showStack(attempts), showLogs(attempts)];
  return parts.filter((part) => part !== '').join('\n');
}

function showAttempts(attempts: readonly JobAttempt[], look: Look): string {
  if (attempts.length === 0) return '';
  const rounds = numberRounds(attempts);
  const hasRounds = rounds.at(-1)! > 1;
  const rows = attempts.map(({ attempt, outcome, finishedAt, worker, errorCode, errorType, errorMessage }, nr) => [
    ...(hasRounds ? [String(rounds[nr])] : []),
    String(attempt),
    outcome,
    formatMoment(finishedAt),
    worker,
    showError(errorCode, errorType, errorMessage),
  ]);
  const head = [...(hasRounds ? ['ROUND'] : []), 'ATTEMPT', 'OUTCOME', 'ENDED', 'WORKER', 'ERROR'];
  return formatTable(head, rows, '', look);
}

/** The round of each attempt: a job that was retried by hand begins another, with its attempts counted from one again. */
function numberRounds(attempts: readonly JobAttempt[]): number[] {
  let [round, before] = [1, 0];
  return attempts.map(({ attempt, outcome }) => {
    if (attempt <= before) round++;
    before = outcome === 'interrupted' || outcome === 'cancelled' ? attempt - 1 : attempt;
    return round;
  });
}

function showDeeds(deeds: readonly AuditEntry[], look: Look): string {
  if (deeds.length === 0) return '';
  const rows = deeds.map(({ at, by, verb, kind, target, after, reason }) => [
    formatMoment(at),
    kind === 'bulk_action' ? `${nameBulk(verb, after)}, bulk action ${target}` : verb,
    by,
    reason ?? '',
  ]);
  return formatTable(['WHEN', 'WHAT', 'BY', 'REASON'], rows, '', look);
}

/** What a bulk action did to the job: its own verb. */
const nameBulk = (verb: string, after: AuditEntry['after']): string =>
  verb === 'start_bulk_action' ? String(after?.['verb']) : verb;

/** `unexpected_error TypeError: no address` */
function showError(code: string | null, type: string | null, message: string | null): string {
  const name = type === null || type === 'Error' ? '' : `${type}: `;
  return `${code ?? ''} ${name}${message ?? ''}`.trim();
}

/** The stack of the last attempt that has one. */
function showStack(attempts: readonly JobAttempt[]): string {
  const last = attempts.findLast(({ errorStack }) => errorStack !== null);
  if (last === undefined) return '';
  return `Stack of attempt ${last.attempt}:\n${last.errorStack!.split('\n').map(cleanText).join('\n')}\n`;
}

/** The logs of the last attempt that has some. */
function showLogs(attempts: readonly JobAttempt[]): string {
  // a key of an API may lack the right to see them
  const last = attempts.findLast(({ logs }) => logs !== null);
  if (last === undefined) return '';
  return `Logs of attempt ${last.attempt}:\n${last.logs!.split('\n').map(cleanText).join('\n')}\n`;
}

const showGate = ({ key, units }: JobGate): string => (units === 1 ? key : `${key} (${units})`);

const showJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);
