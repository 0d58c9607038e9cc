import { openQueue, type Pause, type PauseOptions, type Queryable } from '@duework/queue-core';

/**
 * Pauses a queue on every worker: runs that are claimed already go on, and no other one starts until it is resumed, or
 * `until` has passed. A pause that holds already is given this end, name and reason. Throws `invalid_option`.
 */
export function pauseQueue(db: Queryable, queue: string, options?: PauseOptions): Promise<Pause> {
  return openQueue(db).pauseQueue(queue, options);
}
