import type { JobContract } from '@duework/contracts';
import { DueworkError, isStorableText } from '@duework/sql/errors';
import type { Act } from '../ports/act.js';
import type { Operator } from '../ports/operator.js';
import type { Capabilities } from '../ports/store.js';
import { TRANSITIONS, type Verb } from '../transitions.js';
import { checkAct } from '../check-call.js';
import type { JobChange } from './job-change.js';
import { requireCapability } from '../require-capability.js';

/** How a job is retried. */
export interface RetryOptions {
  /** An operator has checked that its unknown effects did happen. */
  readonly effectsHappened?: boolean | undefined;
  /** Of a durable handler: forgets this step and what was done after it. */
  readonly fromStep?: string | null | undefined;
}

/** What an operator does to one job, by its id. Each takes who acts and why; the audit of a database keeps it. */
export interface JobVerbs {
  retryJob(id: string, options?: Act & RetryOptions): Promise<void>;
  cancelJob(id: string, act?: Act): Promise<'cancelled' | 'requested'>;
  acknowledgeJob(id: string, act?: Act): Promise<void>;
  freeKey(id: string, act?: Act): Promise<boolean>;
}

/** One of them. Whatever has a face for verbs has a record of them all, of which the compiler names those that are missing. */
export type JobVerb = keyof JobVerbs;

/** What each is called in the API (`POST /v1/jobs/{id}/retry`) and in the command (`duework retry <id>`). */
export const JOB_VERBS = {
  retryJob: 'retry',
  cancelJob: 'cancel',
  acknowledgeJob: 'acknowledge',
  freeKey: 'free-key',
} as const satisfies Record<JobVerb, string>;

/** The same over any store; `operate.ts` says what each does. */
export function verbsOver(runs: Operator, capabilities: Capabilities): JobVerbs {
  return {
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
async function actOn<T>(runs: Operator, id: string, verb: Verb, act: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; ; tries++) {
    const answer = await act();
    if (answer !== null) return answer;
    const status = await runs.statusOf(id);
    if (status === null) throw new DueworkError('job_not_found', { id });
    if (TRANSITIONS[status][verb] === undefined || tries === 3)
      throw new DueworkError('transition_not_allowed', { id, verb, status });
  }
}

/** All that changes one job. */
export interface JobChanges extends JobVerbs {
  updateJob<C extends JobContract>(id: string, change: JobChange<C>, act?: Act): Promise<void>;
}

type At = (id: string, act: (queue: JobChanges, id: string) => Promise<unknown>) => Promise<unknown>;

/** The changes of one job where several queues may have it: `at` finds that queue, and what the job is called there. */
export function changesAt(at: At): JobChanges {
  const pass =
    (verb: keyof JobChanges) =>
    async (id: string, ...given: unknown[]): Promise<unknown> =>
      at(id, (queue, own) => (queue[verb] as (id: string, ...given: unknown[]) => Promise<unknown>)(own, ...given));
  const verbs = [...(Object.keys(JOB_VERBS) as JobVerb[]), 'updateJob'] as const;
  return Object.fromEntries(verbs.map((verb) => [verb, pass(verb)])) as unknown as JobChanges;
}
