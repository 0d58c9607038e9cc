import { DueworkError, type Act, type Queryable } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import { updateWait, type WaitChange } from './sql/update-wait.js';

/** A wait of a job, by its name among the steps. */
export interface NamedWait {
  readonly id: string;
  readonly name: string;
}

/**
 * Ends or extends a wait that a handler is in. `skip`: as if its time were over, of a wait that has a deadline. `fail`: the handler
 * gets a `StepFailedError` (`wait_failed`) with the reason. `extend`: to a later deadline. Of a child none of these. Returns
 * whether it was done; false: the job does not wait so. Throws `invalid_option`.
 */
export async function changeWait(db: Queryable, wait: NamedWait & WaitChange, act: Act = {}): Promise<boolean> {
  checkAct(act);
  if (wait.verb === 'extend' && Number.isNaN(wait.until.getTime()))
    throw new DueworkError('invalid_option', { option: 'until', expected: 'a moment', value: 'Invalid Date' });
  return updateWait(db, wait, act);
}
