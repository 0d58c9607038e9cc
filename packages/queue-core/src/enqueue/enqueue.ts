import type { JobContract, PayloadInput } from '@duework/contracts';
import { jobRequest, type EnqueueOptions, type JobRequest } from './job-request.js';
import { makeNewRun } from './make-new-run.js';
import type { EnqueuedJob } from '../ports/producer.js';
import { sendThroughHook } from './send-through-hook.js';
import type { Queryable } from '@duework/sql';
import { writeRuns } from './write-runs.js';

export { jobRequest };

/**
 * Writes one run through `db`: a Prisma client, or the transaction of the caller's own write. When that transaction is
 * rolled back, there is no job. When the idempotency key is taken, returns the run that has it. Throws `DueworkError`:
 * `invalid_payload`, `payload_too_large`, `payload_not_storable`, `invalid_idempotency_key`, `invalid_option`,
 * `not_in_transaction` (an extension of the client made the statement leave the caller's transaction); nothing was
 * written then, and the caller's transaction can go on. `not_migrated`: the database is older than this program;
 * `permission_denied`: its role lacks `duework_app`; the statement has failed, and the caller's transaction with it.
 */
export async function enqueue<C extends JobContract>(
  db: Queryable,
  contract: C,
  payload: PayloadInput<C>,
  options: EnqueueOptions = {},
): Promise<EnqueuedJob> {
  const [job] = await enqueueMany(db, [jobRequest(contract, payload, options)]);
  if (job === undefined) throw new Error('insert-runs answered without a row for its only input');
  return job;
}

/**
 * Writes many runs in one statement, all or none, and returns them in the order of the requests. Throws as `enqueue`.
 */
export async function enqueueMany(db: Queryable, requests: readonly JobRequest[]): Promise<EnqueuedJob[]> {
  return requests.length === 0 ? [] : sendThroughHook(requests.map(makeNewRun), (runs) => writeRuns(db, runs));
}

/** Throws what `enqueue` would throw for this request, and writes nothing. */
export function checkJobRequest(request: JobRequest): void {
  makeNewRun(request);
}
