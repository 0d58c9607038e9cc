import { enqueueMany, jobRequest, writeRuns } from './enqueue.js';
import { EnqueueGroup } from './group-enqueues.js';
import type { JobQueue } from './job-queue.js';
import { isClient } from './join-transaction.js';
import { makeNewRun } from './make-new-run.js';
import { acknowledgeJob, cancelJob, findJobs, freeKey, getJob, retryJob } from './operate.js';
import { readQueueDepth } from './sql/read-queue-depth.js';
import type { Queryable } from './sql/sql.js';

/**
 * The queue in a database, through one client or transaction. It has room for everything, so nobody waits.
 *
 * Through a client, calls of `enqueue` that arrive together share a statement, unless they have an idempotency key: each waits
 * for its own commit, and many of them need far fewer. A client extension that reads its caller's context (a tenant, a
 * trace) would see that of one of them; give such a client to `enqueue` and `enqueueMany` themselves.
 */
export function openQueue(db: Queryable): JobQueue {
  const group = isClient(db) ? new EnqueueGroup(db) : null;
  return {
    async enqueue(contract, payload, { signal, ...options } = {}) {
      signal?.throwIfAborted();
      const run = makeNewRun(jobRequest(contract, payload, options));
      return group !== null && run.key === null ? group.enqueue(run) : (await writeRuns(db, [run]))[0]!;
    },
    async enqueueMany(requests, { signal } = {}) {
      signal?.throwIfAborted();
      return enqueueMany(db, requests);
    },
    getJob: (id) => getJob(db, id),
    findJobs: (listing) => findJobs(db, listing),
    acknowledgeJob: (id) => acknowledgeJob(db, id),
    freeKey: (id) => freeKey(db, id),
    retryJob: (id, options) => retryJob(db, id, options),
    cancelJob: (id, request) => cancelJob(db, id, request),
    queueDepth: () => readQueueDepth(db),
  };
}
