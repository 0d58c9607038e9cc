import { DueworkError } from './errors.js';
import { checkText } from './check-text.js';
import { STATUSES, type Job, type JobAttempt, type JobStatus } from './job.js';
import type { JobQueue } from './job-queue.js';
import { isCursor, type JobFilter, type JobRows } from './sql/list-jobs.js';
import { TRANSITIONS } from './transitions.js';

/** What an operator's verbs need of the place where runs are kept. Each is atomic, and its answer says when it refused. */
export interface OperatedRuns {
  find(id: string): Promise<{ job: Job; attempts: JobAttempt[] } | null>;
  statusOf(id: string): Promise<JobStatus | null>;
  list(filter: JobFilter): Promise<JobRows>;
  /** Settles its unknown effects too. false: it is running, has succeeded, or is not there. */
  retry(id: string, effectsHappened: boolean): Promise<boolean>;
  /** null: it has finished, or is not there. */
  cancel(id: string, by: string | null, reason: string | null): Promise<'cancelled' | 'requested' | null>;
  /** false: it is not dead. */
  acknowledge(id: string): Promise<boolean>;
  /** Whether there was a key of its own to free; null: it is neither dead nor cancelled. */
  freeKey(id: string): Promise<boolean | null>;
}

/** Of who cancels and why. */
const MAX_TEXT = 1_000;

type OperatorVerbs = Pick<JobQueue, 'getJob' | 'findJobs' | 'retryJob' | 'cancelJob' | 'acknowledgeJob' | 'freeKey'>;

/** An operator's verbs over any place where runs are kept; `operate.ts` says what each does. */
export function operateOn(runs: OperatedRuns): OperatorVerbs {
  return {
    async getJob(id) {
      const found = await runs.find(checkId(id));
      if (found === null) throw new DueworkError('job_not_found', { id });
      return found;
    },
    async findJobs({ status, type, queue, cursor, limit = 50 } = {}) {
      if (cursor !== undefined && !(typeof cursor === 'string' && isCursor(cursor, status)))
        throw new DueworkError('invalid_cursor', { cursor });
      if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
        throw new DueworkError('invalid_option', {
          option: 'limit',
          expected: 'a whole number from 1 to 200',
          value: limit,
        });
      }
      if (status !== undefined && !STATUSES.includes(status))
        throw new DueworkError('invalid_option', {
          option: 'status',
          expected: `one of ${STATUSES.join(', ')}`,
          value: status,
        });
      checkText('type', type ?? null, 63);
      checkText('queue', queue ?? null, 63);
      return runs.list({ status, type, queue, cursor, limit });
    },
    async retryJob(id, { effectsHappened = false } = {}) {
      await actOn(runs, id, 'retry', async () => (await runs.retry(id, effectsHappened)) || null);
    },
    async cancelJob(id, { by = null, reason = null } = {}) {
      checkText('by', by, MAX_TEXT);
      checkText('reason', reason, MAX_TEXT);
      return actOn(runs, id, 'cancel', () => runs.cancel(id, by, reason));
    },
    async acknowledgeJob(id) {
      await actOn(runs, id, 'acknowledge', async () => (await runs.acknowledge(id)) || null);
    },
    freeKey: (id) => actOn(runs, id, 'free_key', () => runs.freeKey(id)),
  };
}

/** `act` answers null when it refused. A run may move between live and finished before the look at why; then it is tried again. */
async function actOn<T>(
  runs: OperatedRuns,
  id: string,
  verb: 'retry' | 'cancel' | 'acknowledge' | 'free_key',
  act: () => Promise<T | null>,
): Promise<T> {
  checkId(id);
  for (let tries = 0; ; tries++) {
    const answer = await act();
    if (answer !== null) return answer;
    const status = await runs.statusOf(id);
    if (status === null) throw new DueworkError('job_not_found', { id });
    if (TRANSITIONS[status][verb] === undefined || tries === 3)
      throw new DueworkError('transition_not_allowed', { id, verb, status });
  }
}

function checkId(id: string): string {
  if (!isId(id)) throw new DueworkError('invalid_job_id', { id });
  return id;
}

/** A decimal number that fits a bigint. */
function isId(text: string): boolean {
  return typeof text === 'string' && /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= 9_223_372_036_854_775_807n;
}
