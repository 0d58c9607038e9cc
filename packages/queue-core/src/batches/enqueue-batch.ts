import type { Queryable } from '@duework/sql';
import type { JobRequest } from '../enqueue/job-request.js';
import type { Act } from '../ports/act.js';
import type { Batch, BatchPage, CancelledBatch } from '../ports/batches.js';
import type { EnqueuedJob } from '../ports/producer.js';
import { batchesOver, type BatchListing, type BatchStore, type BatchVerbs } from './batches-over.js';
import { POSTGRES_CAPABILITIES } from '../store/postgres-capabilities.js';
import { postgresOperator } from '../store/postgres-operator.js';
import { writeBatch } from '../enqueue/write-runs.js';
import type { BatchRequest } from './make-new-batch.js';

function over(db: Queryable): BatchVerbs {
  const store: BatchStore = {
    ...postgresOperator(db),
    capabilities: POSTGRES_CAPABILITIES,
    insertBatch: (batch, runs) => writeBatch(db, batch, runs),
  };
  return batchesOver(store);
}

/**
 * Enqueues jobs that belong together in one statement, all or none, and what is to be enqueued once they have ended: each of
 * that once, also where the last two end at the same moment, or their worker dies. A job whose idempotency key is taken
 * belongs to no batch. Returns the batch's id, and the jobs in the order of the requests.
 *
 * Throws what `enqueueMany` throws, and `invalid_option` for a type whose contract has a rule of uniqueness.
 */
export function enqueueBatch(
  db: Queryable,
  request: BatchRequest,
): Promise<{ readonly id: string; readonly jobs: readonly EnqueuedJob[] }> {
  return over(db).enqueueBatch(request);
}

/**
 * Adds jobs to a batch, while some of its jobs are open: one of them can always, in its handler. Throws as `enqueueBatch`,
 * `batch_not_found`, and `batch_settled` where all have ended; nothing is written then.
 */
export function addToBatch(db: Queryable, id: string, jobs: readonly JobRequest[]): Promise<readonly EnqueuedJob[]> {
  return over(db).addToBatch(id, jobs);
}

/** A batch, exactly as it stands. Throws `batch_not_found`. */
export function getBatch(db: Queryable, id: string): Promise<Batch> {
  return over(db).getBatch(id);
}

/** Lists batches, newest first, at most `limit` a page (1 to 200, default 50). Throws `invalid_cursor`, `invalid_option`. */
export function listBatches(db: Queryable, listing: BatchListing = {}): Promise<BatchPage> {
  return over(db).listBatches(listing);
}

/**
 * Cancels the jobs of a batch that wait, and asks the workers of those that run; in several statements, where there are more
 * than a thousand. The batch settles, and what is to be enqueued then is. Throws `batch_not_found`.
 */
export function cancelBatch(db: Queryable, id: string, act: Act = {}): Promise<CancelledBatch> {
  return over(db).cancelBatch(id, act);
}
