import { type JobQueue, openQueue, type Queryable, type RawClient } from '@duework/queue-core';
import type { MemoryQueue } from './memory/create-memory-queue.js';

/** What a test reads: a queue in memory, one of `openQueue`, or a database. */
export type LookedAt = Queryable | ObservedQueue;
export type ObservedQueue = Pick<JobQueue, 'getJob' | 'findJobs' | 'retryJob' | 'queueDepth'>;
/** What a worker can be started on: a database, or the store of a queue in memory. */
export type Worked = Queryable | InMemory;
export type InMemory = Pick<MemoryQueue, 'store'>;

export function toQueue(source: LookedAt): ObservedQueue {
  return isQueue(source) ? source : openQueue(source);
}

/** A queue in memory; a client of a database may have a model or a table of the name `store`. */
export function isInMemory<T extends Worked>(source: T): source is Extract<T, InMemory> {
  return 'store' in source && typeof (source as Partial<RawClient>).$queryRaw !== 'function';
}

export function isQueue(source: LookedAt): source is ObservedQueue {
  return 'queueDepth' in source && typeof source.queueDepth === 'function';
}
