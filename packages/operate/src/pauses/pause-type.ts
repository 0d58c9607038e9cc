import { openQueue, type Pause, type PauseOptions, type Queryable } from '@duework/queue-core';

/** Pauses a type, in every queue, as `pauseQueue` pauses a queue. Throws `invalid_option`. */
export function pauseType(db: Queryable, type: string, options?: PauseOptions): Promise<Pause> {
  return openQueue(db).pauseType(type, options);
}
