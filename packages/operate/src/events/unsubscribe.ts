import { type Act, DueworkError, type Queryable } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import { findSubscriber } from './replay-events.js';
import { writeUnsubscribed } from './sql/write-unsubscribed.js';

/**
 * Ends the subscription of a type whose contract is gone: no event makes a job of it any more, and jobs that wait stay. A
 * worker that subscribes would do so again when it starts, so this is refused while one lives. Throws `event_not_found`,
 * `not_subscribed` and `still_subscribed`.
 */
export async function unsubscribe(db: Queryable, event: string, type: string, act: Act = {}): Promise<void> {
  checkAct(act);
  const { isSubscribed, workers } = await findSubscriber(db, event, type);
  if (isSubscribed && workers.length > 0) throw new DueworkError('still_subscribed', { type, event, workers });
  if (!isSubscribed || !(await writeUnsubscribed(db, event, type, act)))
    throw new DueworkError('not_subscribed', { type, event });
}
