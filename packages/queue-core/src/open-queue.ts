import { enqueue, enqueueMany } from './enqueue.js';
import type { JobQueue } from './job-queue.js';
import { cancelJob, findJobs, getJob, retryJob } from './operate.js';
import { readQueueDepth } from './sql/read-queue-depth.js';
import type { Queryable } from './sql/sql.js';

/** The queue in a database, through one client or transaction. It has room for everything, so nobody waits. */
export function openQueue(db: Queryable): JobQueue {
  return {
    async enqueue(contract, payload, { signal, ...options } = {}) {
      signal?.throwIfAborted();
      return enqueue(db, contract, payload, options);
    },
    async enqueueMany(requests, { signal } = {}) {
      signal?.throwIfAborted();
      return enqueueMany(db, requests);
    },
    getJob: (id) => getJob(db, id),
    findJobs: (listing) => findJobs(db, listing),
    retryJob: (id, options) => retryJob(db, id, options),
    cancelJob: (id, request) => cancelJob(db, id, request),
    queueDepth: () => readQueueDepth(db),
  };
}
