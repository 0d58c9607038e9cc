import type { Job, JobAttempt, JobStatus, Json, Meta } from '@duework/queue-core';
import type { ClaimedRun, RunTerms } from '@duework/queue-core/ports';
import type { Placed } from './heap.js';

/**
 * One run as the in-memory store keeps it, live or finished: the columns of the tables. Moments are epoch milliseconds.
 */
export interface MemoryRun extends Placed {
  readonly id: string;
  /** The id to sort by. */
  readonly number: number;
  readonly queue: string;
  readonly type: string;
  version: number;
  priority: number;
  /** Text, so that every reader parses a value of its own. */
  payloadJson: string;
  readonly metaJson: string | null;
  readonly key: string | null;
  /** The keys that must all have room before it is let in, and how much it takes of each. */
  gates: readonly string[] | null;
  gateUnits: readonly number[] | null;
  /** The key that stands for it, where it is no idempotency key, too. */
  readonly heldKey: string | null;
  terms: RunTerms | null;
  maxAttempts: number;
  readonly createdAtMs: number;
  status: JobStatus;
  /** The gate at which it waits to be let in; null: claims see it. */
  heldBy: string | null;
  runAtMs: number;
  attempts: number;
  fence: number;
  worker: string | null;
  lockedUntilMs: number | null;
  claimedAtMs: number | null;
  failedAtMs: number | null;
  errorCode: string | null;
  errorType: string | null;
  lastError: string | null;
  cancelRequestedAtMs: number | null;
  cancelRequestedBy: string | null;
  cancelReason: string | null;
  progressJson: string | null;
  resultJson: string | null;
  finishedAtMs: number | null;
  snoozes: number;
  snoozedAtMs: number | null;
  releases: number;
  acknowledgedAtMs: number | null;
  /** Its handler completed it, and has not ended yet. */
  isCompletedIn: boolean;
  /** The claim while which what it waits for has come, and the one that ended with waiting; 0: none. */
  wokenFence: number;
  suspendedFence: number;
}

/** The columns of a run without a lease and without a request to cancel. */
export const FREE = {
  worker: null,
  lockedUntilMs: null,
  cancelRequestedAtMs: null,
  cancelRequestedBy: null,
  cancelReason: null,
} as const;

/** A run as people see it at this moment. */
export function toJob(run: MemoryRun, nowMs: number): Job {
  const {
    id,
    type,
    version,
    queue,
    status,
    priority,
    attempts,
    maxAttempts,
    fence,
    worker,
    errorCode,
    errorType,
    lastError,
    cancelRequestedBy,
    cancelReason,
  } = run;
  return {
    id,
    type,
    version,
    queue,
    status,
    priority,
    attempts,
    maxAttempts,
    fence,
    worker,
    errorCode,
    errorType,
    lastError,
    cancelRequestedBy,
    cancelReason,
    snoozes: run.snoozes,
    snoozedAt: toDate(run.snoozedAtMs),
    releases: run.releases,
    acknowledgedAt: toDate(run.acknowledgedAtMs),
    runAt: new Date(run.runAtMs),
    payload: JSON.parse(run.payloadJson) as Json,
    idempotencyKey: run.key,
    lockedUntil: toDate(run.lockedUntilMs),
    claimedAt: toDate(run.claimedAtMs),
    failedAt: toDate(run.failedAtMs),
    cancelRequestedAt: toDate(run.cancelRequestedAtMs),
    progress: toJson(run.progressJson),
    result: toJson(run.resultJson),
    createdAt: new Date(run.createdAtMs),
    finishedAt: toDate(run.finishedAtMs),
    meta: toMeta(run),
    expiresAt: toMoment(run.terms?.expiresAt),
    retryUntil: toMoment(run.terms?.retryUntil),
    heldBy: run.runAtMs <= nowMs ? run.heldBy : null,
    isSuspended:
      run.status === 'queued' && run.runAtMs > nowMs && run.suspendedFence > 0 && run.suspendedFence === run.fence,
    batch: run.terms?.batch ?? null,
    gates: (run.gates ?? []).map((key, at) => ({ key, units: run.gateUnits?.[at] ?? 1 })),
  };
}

/** A run that has just been claimed, as its worker sees it. */
export function toClaimedRun(run: MemoryRun): ClaimedRun {
  const { id, type, version, queue, priority, maxAttempts, fence } = run;
  return {
    id,
    type,
    version,
    queue,
    priority,
    maxAttempts,
    fence,
    payload: JSON.parse(run.payloadJson) as Json,
    meta: toMeta(run),
    gates: run.gates,
    terms: hasStarted(run) ? withoutExpiry(run.terms) : run.terms,
    idempotencyKey: run.key,
    attempt: run.attempts,
    waitedMs: run.claimedAtMs! - run.runAtMs,
    runAtMs: run.runAtMs,
    createdAtMs: run.createdAtMs,
  };
}

/** The attempt that a run is in, or was in, as it is kept. */
export function toAttempt(
  run: MemoryRun,
  nowMs: number,
  about: Pick<JobAttempt, 'outcome'> & Partial<JobAttempt>,
): JobAttempt {
  return {
    attempt: run.attempts,
    fence: run.fence,
    worker: run.worker!,
    claimedAt: new Date(run.claimedAtMs!),
    finishedAt: new Date(nowMs),
    errorCode: null,
    errorType: null,
    errorMessage: null,
    errorStack: null,
    logs: null,
    abortCode: null,
    abortStage: null,
    ...about,
  };
}

/** Whether it has run before the attempt that it is in, or waits for. */
export function hasStarted({ status, attempts, snoozedAtMs, releases }: MemoryRun): boolean {
  return attempts > (status === 'running' ? 1 : 0) || snoozedAtMs !== null || releases > 0;
}

/** Whether it has not started in time, and so may not start any more. */
export function isExpired(run: MemoryRun, nowMs: number): boolean {
  const expiresAt = run.terms?.expiresAt;
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs && !hasStarted(run);
}

function withoutExpiry(terms: RunTerms | null): RunTerms | null {
  if (terms === null) return null;
  const { expiresAt: _, ...others } = terms;
  return others;
}

const toMoment = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

function toJson(text: string | null): Json {
  return text === null ? null : (JSON.parse(text) as Json);
}

function toMeta({ metaJson }: MemoryRun): Meta | null {
  return metaJson === null ? null : (JSON.parse(metaJson) as Meta);
}
