import type { Job, JobAttempt, JobStatus, Json, Meta } from '@duework/queue-core';
import type { RunTerms } from '@duework/queue-core/ports';
import type { JobNotes } from './encode-job.js';
import { toJobId, type PlacedId } from './job-id.js';
import { FIELD } from './fields.js';
import { typeOfName } from './type-of-name.js';

/** The hash of a job in Redis, as it is. */
export type RawJob = Readonly<Record<string, string>>;

/** A run as its hash says; moments are milliseconds since 1970. */
export interface BullmqRun extends PlacedId {
  readonly type: string;
  readonly version: number;
  readonly key: string | null;
  readonly metaJson: string | null;
  readonly payloadJson: string;
  readonly priority: number;
  readonly maxAttempts: number;
  readonly status: JobStatus;
  readonly attempts: number;
  readonly fence: number;
  readonly worker: string | null;
  readonly snoozes: number;
  readonly releases: number;
  readonly createdAtMs: number;
  readonly runAtMs: number;
  readonly claimedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly history: readonly string[];
  readonly terms: RunTerms | null;
  readonly raw: RawJob;
}

/** Reads the hash of a job; null: it is not there. One that another program added has version 1, and no key. */
export function decodeJob({ queue, id }: PlacedId, raw: RawJob): BullmqRun | null {
  if (raw.name === undefined) return null;
  const options = JSON.parse(raw.opts ?? '{}') as { attempts?: number; priority?: number; duework?: string };
  const notes = JSON.parse(options.duework ?? '{}') as Partial<JobNotes>;
  const addedAtMs = Number(raw.timestamp);
  return {
    queue,
    id,
    type: typeOfName(raw.name),
    version: notes.version ?? 1,
    key: notes.key ?? null,
    metaJson: notes.meta ?? null,
    payloadJson: raw.data ?? 'null',
    priority: Math.max(0, Number(raw.priority ?? 0) - 1),
    maxAttempts: Math.max(1, options.attempts ?? 1),
    status: statusOf(raw),
    attempts: Number(raw[FIELD.attempts] ?? 0),
    fence: Number(raw[FIELD.fence] ?? 0),
    worker: textOf(raw[FIELD.worker]),
    snoozes: Number(raw[FIELD.snoozes] ?? 0),
    releases: Number(raw[FIELD.releases] ?? 0),
    createdAtMs: notes.createdAtMs ?? addedAtMs,
    runAtMs: momentOf(raw[FIELD.runAt]) ?? notes.runAtMs ?? addedAtMs,
    claimedAtMs: momentOf(raw[FIELD.claimedAt]),
    finishedAtMs: momentOf(raw.finishedOn),
    history: historyOf(raw),
    terms: notes.terms ?? null,
    raw,
  };
}

/** What the hash says: a run that BullMQ has finished is done, whatever our own fields said before. */
function statusOf(raw: RawJob): JobStatus {
  const status = (textOf(raw[FIELD.status]) ?? 'queued') as JobStatus;
  if (raw.finishedOn === undefined) return status;
  if (status === 'dead' || status === 'cancelled') return status;
  return raw.returnvalue === undefined ? 'dead' : 'succeeded';
}

/** A run as people see it; `lockedUntilMs` is the end of its lease, of one that runs. */
export function toJob(run: BullmqRun, lockedUntilMs: number | null): Job {
  const { raw, status } = run;
  const date = (field: string): Date | null => toDate(momentOf(raw[field]));
  return {
    id: toJobId(run),
    type: run.type,
    version: run.version,
    queue: run.queue,
    status,
    priority: run.priority,
    runAt: new Date(run.runAtMs),
    payload: JSON.parse(run.payloadJson) as Json,
    idempotencyKey: run.key,
    attempts: run.attempts,
    maxAttempts: run.maxAttempts,
    fence: run.fence,
    worker: run.worker,
    lockedUntil: status === 'running' ? toDate(lockedUntilMs) : null,
    claimedAt: toDate(run.claimedAtMs),
    failedAt: date(FIELD.failedAt),
    errorCode: textOf(raw[FIELD.errorCode]),
    errorType: textOf(raw[FIELD.errorType]),
    lastError: textOf(raw[FIELD.error]),
    cancelRequestedAt: date(FIELD.cancelAt),
    cancelRequestedBy: textOf(raw[FIELD.cancelBy]),
    cancelReason: textOf(raw[FIELD.cancelReason]),
    progress: run.finishedAtMs === null ? toJson(raw.progress) : null,
    result: status === 'succeeded' ? toJson(raw.returnvalue) : null,
    createdAt: new Date(run.createdAtMs),
    finishedAt: toDate(run.finishedAtMs),
    snoozes: run.snoozes,
    releases: run.releases,
    snoozedAt: date(FIELD.snoozedAt),
    acknowledgedAt: date(FIELD.acknowledgedAt),
    meta: toMeta(run),
    expiresAt: toMoment(run.terms?.expiresAt),
    retryUntil: toMoment(run.terms?.retryUntil),
    heldBy: null,
    isSuspended: false,
    batch: null,
    gates: [],
  };
}

/** The attempts that failed or were interrupted, oldest first; what another program wrote there is no attempt of ours. */
export function attemptsOf({ history }: BullmqRun): JobAttempt[] {
  return history.flatMap((text) => {
    if (!text.startsWith('{')) return [];
    const { claimedAt, finishedAt, ...same } = JSON.parse(text) as JobAttempt &
      Record<'claimedAt' | 'finishedAt', string>;
    return [{ ...same, claimedAt: new Date(claimedAt), finishedAt: new Date(finishedAt) }];
  });
}

export function toMeta({ metaJson }: Pick<BullmqRun, 'metaJson'>): Meta | null {
  return metaJson === null ? null : (JSON.parse(metaJson) as Meta);
}

function historyOf({ stacktrace }: RawJob): readonly string[] {
  return stacktrace === undefined || stacktrace === '' ? [] : ((JSON.parse(stacktrace) ?? []) as string[]);
}

const textOf = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);

function momentOf(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}

/** Whether it has run before the attempt that it is in, or waits for. */
export function hasStarted({ status, attempts, snoozes, releases }: BullmqRun): boolean {
  return attempts > (status === 'running' ? 1 : 0) || snoozes > 0 || releases > 0;
}

const toMoment = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

function toJson(text: string | undefined): Json {
  return text === undefined || text === '' ? null : (JSON.parse(text) as Json);
}
