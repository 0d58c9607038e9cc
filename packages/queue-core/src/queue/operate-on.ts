import { DEFAULT_PRIORITY } from '@duework/contracts';
import { checkAct, checkLimit } from '../check-call.js';
import { requireCapability } from '../require-capability.js';
import { DueworkError, isStorableText } from '@duework/sql/errors';
import { checkText } from '@duework/sql';
import { STATUSES } from './job.js';
import { makeUpdate } from './make-update.js';
import type { JobQueue } from './job-queue.js';
import type { Act } from '../ports/act.js';
import type { Operator, RunUpdate, UpdateAnswer } from '../ports/operator.js';
import type { Capabilities } from '../ports/store.js';
import { TRANSITIONS } from '../transitions.js';

type OperatorVerbs = Pick<
  JobQueue,
  'getJob' | 'findJobs' | 'retryJob' | 'cancelJob' | 'updateJob' | 'acknowledgeJob' | 'freeKey'
>;

/** An operator's verbs over any store; `operate.ts` says what each does. */
export function operateOn(runs: Operator, capabilities: Capabilities): OperatorVerbs {
  return {
    async getJob(id) {
      const found = await runs.find(id);
      if (found === null) throw new DueworkError('job_not_found', { id });
      return found;
    },
    async findJobs({ status, type, queue, cursor, limit = 50 } = {}) {
      requireCapability(capabilities, 'lists', 'findJobs');
      checkLimit(limit);
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
    async retryJob(id, { effectsHappened = false, fromStep = null, ...act } = {}) {
      checkAct(act);
      if (fromStep !== null) {
        requireCapability(capabilities, 'steps', 'fromStep');
        const isKept = isStorableText(fromStep) && (await runs.hasStep(id, fromStep));
        if (!isKept && (await runs.statusOf(id)) !== null)
          throw new DueworkError('step_not_found', { id, step: fromStep });
      }
      await actOn(runs, id, 'retry', async () => (await runs.retry(id, { effectsHappened, fromStep }, act)) || null);
    },
    async cancelJob(id, act = {}) {
      checkAct(act);
      return actOn(runs, id, 'cancel', () => runs.cancel(id, act));
    },
    async updateJob(id, change, act = {}) {
      checkAct(act);
      const update = makeUpdate(change);
      if ((update.priority ?? DEFAULT_PRIORITY) !== DEFAULT_PRIORITY)
        requireCapability(capabilities, 'priorities', 'priority');
      await updateOn(runs, id, update, act);
    },
    async acknowledgeJob(id, act = {}) {
      checkAct(act);
      await actOn(runs, id, 'acknowledge', async () => (await runs.acknowledge(id, act)) || null);
    },
    async freeKey(id, act = {}) {
      checkAct(act);
      return actOn(runs, id, 'free_key', () => runs.freeKey(id, act));
    },
  };
}

/**
 * `act` returns null when it refused. Before the reason is read the run may move between live and finished; then it is
 * tried again.
 */
async function actOn<T>(
  runs: Operator,
  id: string,
  verb: 'retry' | 'cancel' | 'acknowledge' | 'free_key',
  act: () => Promise<T | null>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    const answer = await act();
    if (answer !== null) return answer;
    const status = await runs.statusOf(id);
    if (status === null) throw new DueworkError('job_not_found', { id });
    if (TRANSITIONS[status][verb] === undefined || tries === 3)
      throw new DueworkError('transition_not_allowed', { id, verb, status });
  }
}

/** As `actOn`; a live run says itself why it is left as it is. */
async function updateOn(runs: Operator, id: string, update: RunUpdate, act: Act): Promise<void> {
  for (let tries = 0; ; tries++) {
    const answer = await runs.update(id, update, act);
    if (answer?.isUpdated) return;
    if (answer !== null) throw refusalOf(id, update, answer);
    const status = await runs.statusOf(id);
    if (status === null) throw new DueworkError('job_not_found', { id });
    if (TRANSITIONS[status].update === undefined && status !== 'running')
      throw new DueworkError('job_is_over', { id, status });
    if (tries === 3) throw new DueworkError('job_is_running', { id });
  }
}

function refusalOf(id: string, { payload, maxAttempts }: RunUpdate, found: UpdateAnswer): DueworkError {
  const { status, type, attempts } = found;
  if (payload !== null && payload.type !== type)
    return new DueworkError('wrong_job_type', { id, type, expected: payload.type });
  if (status === 'running') return new DueworkError('job_is_running', { id });
  const expected = `more than the attempts that the job has spent (${attempts})`;
  return new DueworkError('invalid_option', { option: 'maxAttempts', expected, value: maxAttempts });
}
