import { checkAct } from '../check-call.js';
import { checkName, isMoment } from '@duework/sql';
import { DueworkError } from '@duework/sql/errors';
import type { JobQueue, PauseOptions } from './job-queue.js';
import type { Act } from '../ports/act.js';
import type { Operator, Pause, PauseKind } from '../ports/operator.js';

type PauseVerbs = Pick<JobQueue, 'pauseQueue' | 'resumeQueue' | 'pauseType' | 'resumeType' | 'listPauses'>;

/** Pauses and resumes queues and types over any store; `job-queue.ts` says what each verb does. */
export function pauseOver(store: Pick<Operator, 'pause' | 'resume' | 'pauses'>): PauseVerbs {
  const pause = async (kind: PauseKind, name: string, options: PauseOptions = {}): Promise<Pause> => {
    const { until, ...act } = options;
    checkPaused(kind, name);
    checkAct(act);
    if (until !== undefined && !isMoment(until))
      throw new DueworkError('invalid_option', { option: 'until', expected: 'a Date', value: until });
    const paused = await store.pause({ kind, name, until: until?.toISOString() ?? null, act });
    if (paused === null)
      throw new DueworkError('invalid_option', { option: 'until', expected: 'a moment to come', value: until });
    return paused;
  };
  const resume = async (kind: PauseKind, name: string, act: Act = {}): Promise<Pause | null> => {
    checkPaused(kind, name);
    checkAct(act);
    return store.resume(kind, name, act);
  };
  return {
    pauseQueue: (queue, options) => pause('queue', queue, options),
    resumeQueue: (queue, act) => resume('queue', queue, act),
    pauseType: (type, options) => pause('type', type, options),
    resumeType: (type, act) => resume('type', type, act),
    listPauses: () => store.pauses(),
  };
}

function checkPaused(kind: PauseKind, name: string): void {
  checkName(kind, name, 63);
  if (name === '') throw new DueworkError('invalid_option', { option: kind, expected: 'a name', value: name });
}
