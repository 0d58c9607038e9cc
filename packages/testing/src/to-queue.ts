import { type JobQueue, openQueue, type Queryable } from '@duework/queue-core';

/** What a test reads: a queue in memory, one that `openQueue` made, or a database. */
export type LookedAt = Queryable | ObservedQueue;
export type ObservedQueue = Pick<JobQueue, 'getJob' | 'findJobs' | 'retryJob' | 'queueDepth'>;

export function toQueue(source: LookedAt): ObservedQueue {
  return 'queueDepth' in source && typeof source.queueDepth === 'function'
    ? (source as ObservedQueue)
    : openQueue(source as Queryable);
}
