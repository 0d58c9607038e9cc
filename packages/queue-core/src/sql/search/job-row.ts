import type { Job, JobAttempt, JobStatus, Json, ListedJob, NotListed } from '../../queue/job.js';
import { parseExactly, sql, type Sql } from '@duework/sql';
import { keepStored } from './stored-values.js';

/**
 * What lists show of a row j of the view `jobs`: neither what may be large, nor what each heartbeat changes. Moments are whole
 * milliseconds, so that the long numbers of a row are those of its values.
 */
const listed: Sql = sql`
    'id', j.id::text, 'type', j.job_type, 'version', j.job_version, 'queue', j.queue, 'status', j.status,
    'priority', j.priority, 'runAt', trunc(extract(epoch FROM j.run_at) * 1000),
    'idempotencyKey', j.idempotency_key, 'attempts', j.attempts, 'maxAttempts', j.max_attempts, 'fence', j.fence,
    'worker', j.worker,
    'claimedAt', trunc(extract(epoch FROM j.claimed_at) * 1000), 'failedAt', trunc(extract(epoch FROM j.failed_at) * 1000),
    'errorCode', j.error_code, 'errorType', j.error_type, 'lastError', j.last_error,
    'cancelRequestedAt', trunc(extract(epoch FROM j.cancel_requested_at) * 1000),
    'cancelRequestedBy', j.cancel_requested_by, 'cancelReason', j.cancel_reason, 'progress', j.progress,
    'createdAt', trunc(extract(epoch FROM j.created_at) * 1000), 'finishedAt', trunc(extract(epoch FROM j.finished_at) * 1000),
    'snoozes', j.snoozes, 'snoozedAt', trunc(extract(epoch FROM j.snoozed_at) * 1000),
    'releases', j.releases, 'acknowledgedAt', trunc(extract(epoch FROM j.acknowledged_at) * 1000),
    'expiresAt', trunc(extract(epoch FROM (j.terms ->> 'expiresAt')::timestamptz) * 1000),
    'retryUntil', trunc(extract(epoch FROM (j.terms ->> 'retryUntil')::timestamptz) * 1000),
    'isSuspended', (j.status = 'queued' AND j.run_at > now() AND j.terms -> 'suspended' = to_jsonb(j.fence)) IS TRUE,
    'batch', j.terms ->> 'batch',
    'heldBy', CASE WHEN j.run_at <= now() THEN j.held_by END`;

/**
 * The SELECT list of one row of the view `jobs`, as the text of JSON: neither the settings of the caller's session nor
 * what its client makes of JSON and of numbers change it.
 */
export const jobAsJson: Sql = sql`json_build_object(${listed}, 'lockedUntil', trunc(extract(epoch FROM j.locked_until) * 1000),
    'payload', j.payload, 'result', j.result, 'meta', j.meta,
    'gates', CASE WHEN j.gates IS NULL THEN '[]'::json ELSE (
      SELECT json_agg(json_build_object('key', g.key, 'units', coalesce(g.units, 1)) ORDER BY g.place)
      FROM unnest(j.gates, j.gate_units) WITH ORDINALITY AS g (key, units, place)
    ) END
  )::text`;

/** The same of a `ListedJob`. */
export const listedJobAsJson: Sql = sql`json_build_object(${listed})::text`;

export const attemptAsJson: Sql = sql`json_build_object(
    'attempt', a.attempt, 'fence', a.fence, 'outcome', a.outcome, 'worker', a.worker,
    'claimedAt', extract(epoch FROM a.claimed_at) * 1000, 'finishedAt', extract(epoch FROM a.finished_at) * 1000,
    'errorCode', a.error_code, 'errorType', a.error_type, 'errorMessage', a.error_message, 'errorStack', a.error_stack,
    'logs', a.logs, 'abortCode', a.abort_code, 'abortStage', a.abort_stage
  )`;

type Times<T, K extends keyof T> = Omit<T, K> & { readonly [P in K]: null extends T[P] ? number | null : number };
type JobTimes =
  | 'runAt'
  | 'lockedUntil'
  | 'claimedAt'
  | 'failedAt'
  | 'cancelRequestedAt'
  | 'createdAt'
  | 'finishedAt'
  | 'snoozedAt'
  | 'acknowledgedAt'
  | 'expiresAt'
  | 'retryUntil';
type JobJson = Times<Job, JobTimes> & { readonly status: JobStatus; readonly payload: Json };
type AttemptJson = Times<JobAttempt, 'claimedAt' | 'finishedAt'>;

/** The one parser of `jobAsJson`: epoch milliseconds become Dates. */
export function toJob(json: string): Job {
  const row = parseExactly(json) as JobJson;
  return keepStored({ ...row, ...toTimes(row), lockedUntil: toDate(row.lockedUntil) }, json);
}

/** The one parser of `listedJobAsJson`. */
export function toListedJob(json: string): ListedJob {
  const row = JSON.parse(json) as Omit<JobJson, NotListed>;
  return { ...row, ...toTimes(row) };
}

function toTimes(row: Omit<JobJson, NotListed>): Pick<Job, Exclude<JobTimes, NotListed>> {
  return {
    runAt: new Date(row.runAt),
    claimedAt: toDate(row.claimedAt),
    failedAt: toDate(row.failedAt),
    cancelRequestedAt: toDate(row.cancelRequestedAt),
    createdAt: new Date(row.createdAt),
    finishedAt: toDate(row.finishedAt),
    snoozedAt: toDate(row.snoozedAt),
    acknowledgedAt: toDate(row.acknowledgedAt),
    expiresAt: toDate(row.expiresAt),
    retryUntil: toDate(row.retryUntil),
  };
}

/** The one parser of an array of `attemptAsJson`. */
export function toAttempts(json: string): JobAttempt[] {
  return (JSON.parse(json) as AttemptJson[]).map((row) => ({
    ...row,
    claimedAt: new Date(row.claimedAt),
    finishedAt: new Date(row.finishedAt),
  }));
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
