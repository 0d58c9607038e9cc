import { type Job, type JobAttempt, type JobStatus, type Json, type Meta, STATUSES } from '@duework/queue-core';
import type { RunTerms } from '@duework/queue-core/ports';
import { toJobId, type PlacedId } from './job-id.js';
import { FIELD } from './fields.js';
import { readJson, readMeta, readMoment, readOptions, readTexts, readWhole, UNREADABLE } from './read-fields.js';

/** The hash of a job in Redis, as it is. */
export type RawJob = Readonly<Record<string, string>>;

/** A run as its hash says; moments are milliseconds since 1970. */
export interface BullmqRun extends PlacedId {
  readonly type: string;
  readonly version: number;
  readonly key: string | null;
  readonly metaJson: string | null;
  /** JSON; `null` where nobody can read what is there. */
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
  /** The field of its hash that nobody can read, which keeps it from running; null: none. */
  readonly unreadable: string | null;
  readonly raw: RawJob;
}

/**
 * Reads the hash of a job, whatever is in it; null: it is not there. One that another program added has version 1, and no key.
 *
 * @param delayedUntilMs the moment until which BullMQ has it wait, where its reader knows that
 */
export function decodeJob(
  { queue, id }: PlacedId,
  raw: RawJob,
  delayedUntilMs: number | null = null,
): BullmqRun | null {
  if (raw.name === undefined) return null;
  const { notes, attempts, delayMs, unreadable } = readOptions(raw.opts);
  const addedAtMs = readMoment(raw.timestamp) ?? 0;
  const isPayloadRead = raw.data === undefined || readJson(raw.data) !== UNREADABLE;
  return {
    queue,
    id,
    type: raw.name,
    version: notes.version ?? 1,
    key: notes.key ?? null,
    metaJson: notes.meta ?? null,
    payloadJson: isPayloadRead ? (raw.data ?? 'null') : 'null',
    priority: readWhole(raw.priority, 1, 1) - 1,
    maxAttempts: readWhole(attempts, 1, 1),
    status: statusOf(raw),
    attempts: readWhole(raw[FIELD.attempts], 0, 0),
    fence: readWhole(raw[FIELD.fence], 0, 0),
    worker: textOf(raw[FIELD.worker]),
    snoozes: readWhole(raw[FIELD.snoozes], 0, 0),
    releases: readWhole(raw[FIELD.releases], 0, 0),
    createdAtMs: notes.createdAtMs ?? addedAtMs,
    runAtMs: delayedUntilMs ?? readMoment(raw[FIELD.runAt]) ?? notes.runAtMs ?? dueSince(addedAtMs, delayMs),
    claimedAtMs: readMoment(raw[FIELD.claimedAt]),
    finishedAtMs: raw.finishedOn === undefined ? null : (readMoment(raw.finishedOn) ?? 0),
    history: readTexts(raw.stacktrace),
    terms: notes.terms ?? null,
    unreadable: unreadable ?? (isPayloadRead ? null : 'data') ?? OF_BULLMQ.find((field) => !isJson(raw[field])) ?? null,
    raw,
  };
}

/** Since when a job is due that does not wait for its moment any more: somebody may have promoted it. */
export const dueSince = (addedAtMs: number, delayMs: number): number =>
  Math.max(addedAtMs, Math.min(addedAtMs + delayMs, Date.now()));

/** What BullMQ itself reads whenever it gives out a job. */
const OF_BULLMQ = ['progress', 'parent'] as const;

const isJson = (text: string | undefined): boolean => !text || readJson(text) !== UNREADABLE;

/** Why a run whose hash nobody can read does not run. */
export const NOT_READABLE = { code: 'job_not_readable', type: 'UnreadableJob' } as const;
export const tellUnreadable = (field: string): string =>
  `What is in Redis as ${field} of this job is not what BullMQ or Duework writes there, so it cannot be read.`;

/** What the hash says: a run that BullMQ has finished is done, whatever our own fields said before. */
function statusOf(raw: RawJob): JobStatus {
  const status = STATUSES.find((known) => known === raw[FIELD.status]) ?? 'queued';
  if (raw.finishedOn === undefined) return status;
  if (status === 'dead' || status === 'cancelled') return status;
  return raw.returnvalue === undefined ? 'dead' : 'succeeded';
}

/** A run as people see it; `lockedUntilMs` is the end of its lease, of one that runs. */
export function toJob(run: BullmqRun, lockedUntilMs: number | null): Job {
  const { raw, status, unreadable } = run;
  const date = (field: string): Date | null => toDate(readMoment(raw[field]));
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
    errorCode: textOf(raw[FIELD.errorCode]) ?? (unreadable && NOT_READABLE.code),
    errorType: textOf(raw[FIELD.errorType]) ?? (unreadable && NOT_READABLE.type),
    lastError: textOf(raw[FIELD.error]) ?? (unreadable && tellUnreadable(unreadable)),
    cancelRequestedAt: date(FIELD.cancelAt),
    cancelRequestedBy: textOf(raw[FIELD.cancelBy]),
    cancelReason: textOf(raw[FIELD.cancelReason]),
    progress: toJson(raw.progress),
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
    const attempt = text.startsWith('{') ? readJson(text) : UNREADABLE;
    if (attempt === UNREADABLE) return [];
    const { claimedAt, finishedAt, ...same } = attempt as JobAttempt & Record<'claimedAt' | 'finishedAt', string>;
    const [from, to] = [new Date(claimedAt), new Date(finishedAt)];
    const isOurs = !Number.isNaN(from.getTime()) && !Number.isNaN(to.getTime()) && typeof same.outcome === 'string';
    return isOurs ? [{ ...same, claimedAt: from, finishedAt: to }] : [];
  });
}

export function toMeta({ metaJson }: Pick<BullmqRun, 'metaJson'>): Meta | null {
  return metaJson === null ? null : readMeta(metaJson);
}

const textOf = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);

/** Whether it has run before the attempt that it is in, or waits for. */
export function hasStarted({ status, attempts, releases, raw }: BullmqRun): boolean {
  return attempts > (status === 'running' ? 1 : 0) || textOf(raw[FIELD.snoozedAt]) !== null || releases > 0;
}

const toMoment = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

function toJson(text: string | undefined): Json {
  const value = readJson(text || 'null');
  return value === UNREADABLE ? null : (value as Json);
}
