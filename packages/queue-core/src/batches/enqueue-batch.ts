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
 * Enqueues jobs that belong together in one statement, all or none, with the callbacks to enqueue once they have ended:
 * each once, even if the last two end at the same moment, or their worker dies. A job whose idempotency key is taken
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
 * Adds jobs to a batch while some of its jobs are open; a handler of one always can. Throws as `enqueueBatch`,
 * `batch_not_found`, and `batch_settled` if all have ended; then nothing is written.
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
 * Cancels the waiting jobs of a batch, and asks the workers of running ones; in several statements for more than a
 * thousand. The batch settles, and its callbacks are enqueued. Throws `batch_not_found`.
 */
export function cancelBatch(db: Queryable, id: string, act: Act = {}): Promise<CancelledBatch> {
  return over(db).cancelBatch(id, act);
}
