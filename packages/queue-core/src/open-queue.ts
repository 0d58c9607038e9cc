import { CallAdmission, type CallBound } from './admit-calls.js';
import { enqueueMany, jobRequest, writeRuns } from './enqueue.js';
import { EnqueueGroup } from './group-enqueues.js';
import type { JobQueue } from './job-queue.js';
import { isClient } from './join-transaction.js';
import { makeNewRun } from './make-new-run.js';
import { acknowledgeJob, cancelJob, findJobs, freeKey, getJob, retryJob } from './operate.js';
import { readQueueDepth } from './sql/read-queue-depth.js';
import type { Queryable } from './sql/sql.js';

/**
 * The queue in a database, through one client or transaction. The database has room for everything; the process that calls
 * has not: through a client, no more calls than `maxWaiting` are on their way, and the next one is refused or waits.
 *
 * Through a client, calls of `enqueue` that arrive together share a statement, unless they have an idempotency key: each waits
 * for its own commit, and many of them need far fewer. A client extension that reads its caller's context (a tenant, a
 * trace) would see that of one of them; give such a client to `enqueue` and `enqueueMany` themselves.
 *
 * A call whose signal aborts waits no longer. Once its run is in a statement that is on its way, the answer decides.
 *
 * `enqueue` and `enqueueMany` throw `queue_full` where they refuse. Throws `invalid_option` for a bound that is none.
 */
export function openQueue(db: Queryable, bound: CallBound = {}): JobQueue {
  const isOwn = isClient(db);
  const admission = new CallAdmission(bound);
  const group = new EnqueueGroup(db);
  /** In a transaction every call is a statement of that transaction, which its owner waits for. */
  const admit = <T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> =>
    isOwn ? admission.run(signal, call) : call();
  return {
    async enqueue(contract, payload, { signal, ...options } = {}) {
      signal?.throwIfAborted();
      const run = makeNewRun(jobRequest(contract, payload, options));
      return admit(signal, async () =>
        isOwn && run.key === null ? group.enqueue(run, signal) : (await writeRuns(db, [run]))[0]!,
      );
    },
    async enqueueMany(requests, { signal } = {}) {
      signal?.throwIfAborted();
      return admit(signal, () => enqueueMany(db, requests));
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
