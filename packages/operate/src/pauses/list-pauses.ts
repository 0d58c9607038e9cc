import { openQueue, type Pause, type Queryable } from '@duework/queue-core';

/** The pauses of queues and types that hold, by kind and name. */
export function listPauses(db: Queryable): Promise<Pause[]> {
  return openQueue(db).listPauses();
}
