import type { Duration, JobContract, PayloadInput } from '@duework/contracts';
import type { JobStatus } from './job.js';
import { checkJoined, expectedTransaction } from './join-transaction.js';
import { makeNewRun } from './make-new-run.js';
import { findStatuses } from './sql/find-statuses.js';
import { insertRuns, type NewRun } from './sql/insert-runs.js';
import type { Queryable } from './sql/sql.js';
import { takeQueuesToWake } from './take-queues-to-wake.js';

export interface EnqueueOptions {
  /** Not before this moment; the database's now unless given. Not together with `delay`. */
  readonly runAt?: Date;
  /** Not before this long from the database's now. */
  readonly delay?: Duration;
  /** 0 (first) to 9 (last); the contract's unless given. */
  readonly priority?: number;
  /** The business event's key; the contract's unless given, and `null` for none. 1 to 255 characters. */
  readonly idempotencyKey?: string | null;
  /** Attempts charged before the run is dead; the contract's unless given. */
  readonly maxAttempts?: number;
  /** Largest payload in bytes of JSON; 64 KiB unless given. */
  readonly payloadLimitBytes?: number;
}

/** One job to enqueue, whose payload fits its contract; made by `jobRequest`. */
export interface JobRequest {
  readonly contract: JobContract;
  readonly payload: unknown;
  readonly options: EnqueueOptions;
}

/** The run that exists now. `isDeduplicated`: it was there before, under the same idempotency key. */
export interface EnqueuedJob {
  readonly id: string;
  readonly type: string;
  readonly status: JobStatus;
  readonly runAt: Date;
  readonly isDeduplicated: boolean;
}

/** A typed request for `enqueueMany`, so that one call can mix types. */
export function jobRequest<C extends JobContract>(
  contract: C,
  payload: PayloadInput<C>,
  options: EnqueueOptions = {},
): JobRequest {
  return { contract, payload, options };
}

/**
 * Writes one run through `db`: a Prisma client, or the transaction of the caller's own write, which then decides: rolled
 * back, and there is no job. With an idempotency key that is taken, returns the run that has it.
 * Throws `DueworkError`: `invalid_payload`, `payload_too_large`, `payload_not_storable`, `invalid_idempotency_key`,
 * `invalid_option`, `not_in_transaction` (an extension of the client made the statement leave the caller's
 * transaction); nothing was written then, and the caller's transaction can go on.
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

/** Writes many runs in one statement, all or none, and returns them in the order of the requests. Throws as `enqueue`. */
export async function enqueueMany(db: Queryable, requests: readonly JobRequest[]): Promise<EnqueuedJob[]> {
  return requests.length === 0 ? [] : writeRuns(db, requests.map(makeNewRun));
}

/** The same for runs that were checked. */
export async function writeRuns(db: Queryable, runs: readonly NewRun[]): Promise<EnqueuedJob[]> {
  const expected = await expectedTransaction(db);
  const wake = takeQueuesToWake(runs, expected !== null);
  const inserted = await insertRuns(db, runs, { expectedTransaction: expected, wake });
  checkJoined(expected, inserted.transactionId);
  const earlier = inserted.runs.filter((run) => run.runAtMs === null).map((run) => run.id);
  // A statement of its own: the run may have been committed by another session while this one waited for the key.
  const found = new Map((earlier.length === 0 ? [] : await findStatuses(db, earlier)).map((row) => [row.id, row]));
  return inserted.runs.map(({ id, runAtMs }, index) => {
    const { type } = runs[index]!;
    if (runAtMs !== null) return { id, type, status: 'queued', runAt: new Date(runAtMs), isDeduplicated: false };
    const { status, run_at_ms } = found.get(id)!;
    return { id, type, status, runAt: new Date(run_at_ms), isDeduplicated: true };
  });
}

/** Throws what `enqueue` would throw for this request, and writes nothing. */
export function checkJobRequest(request: JobRequest): void {
  makeNewRun(request);
}
