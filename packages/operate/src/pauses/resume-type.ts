import { type Act, openQueue, type Pause, type Queryable } from '@duework/queue-core';

/** Resumes a type. Returns the pause that has ended; null: it was not paused. */
export function resumeType(db: Queryable, type: string, act?: Act): Promise<Pause | null> {
  return openQueue(db).resumeType(type, act);
}
