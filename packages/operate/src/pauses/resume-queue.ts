import { type Act, openQueue, type Pause, type Queryable } from '@duework/queue-core';

/** Resumes a queue: its runs start again at once. Returns the pause that has ended; null: it was not paused. */
export function resumeQueue(db: Queryable, queue: string, act?: Act): Promise<Pause | null> {
  return openQueue(db).resumeQueue(queue, act);
}
