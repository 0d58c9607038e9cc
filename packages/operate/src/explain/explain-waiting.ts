import { type Job, openQueue, type Pause, type Queryable } from '@duework/queue-core';
import { explainGate } from './explain-gate.js';
import { ruleOfKey } from '../flow/rule-of-key.js';
import { findMissing } from './find-missing.js';
import { makeReason } from './make-reason.js';
import type { Reason } from './explanation.js';
import { findWaits } from './sql/find-waits.js';
import { findPlace } from './sql/find-place.js';
import { findReaders, type Readers } from './sql/find-readers.js';

/** Why a run waits, what holds first; at least one reason. */
export async function explainWaiting(db: Queryable, job: Job, nowMs: number): Promise<Reason[]> {
  const pauses = await openQueue(db).listPauses();
  const readers = await findReaders(db, job);
  const moment = await explainMoment(db, job, nowMs);
  const gate = moment.length > 0 ? [] : await explainGate(db, job, nowMs);
  const reasons = [...moment, ...explainPauses(job, pauses), ...gate, ...explainReaders(job, readers)];
  const first = reasons.length > 0 ? reasons : [await explainPlace(db, job, pauses, readers)];
  return [...first, ...explainExpiry(job), ...explainReleases(job)];
}

/** Until when it has to start; nothing where it waits for ever, or has started before. */
function explainExpiry({ expiresAt, attempts, snoozedAt, releases }: Job): Reason[] {
  const hasStarted = attempts > 0 || snoozedAt !== null || releases > 0;
  return expiresAt === null || hasStarted ? [] : [makeReason('expires', { at: expiresAt })];
}

/** That stopping workers have given it back while it ran; nothing where none has. */
export function explainReleases({ releases }: Job): Reason[] {
  return releases > 0 ? [makeReason('released', { releases })] : [];
}

async function explainMoment(db: Queryable, job: Job, nowMs: number): Promise<Reason[]> {
  const { id, runAt: until, status, attempts, maxAttempts, errorCode, lastError, snoozes, snoozedAt, retryUntil } = job;
  if (until.getTime() <= nowMs) return [];
  if (status === 'failed')
    return [makeReason('waiting_for_retry', { until, attempts, maxAttempts, errorCode, lastError, retryUntil })];
  if (snoozedAt === null) return [makeReason('not_due', { until })];
  const found = await findWaits(db, id);
  return [found.count > 0 ? makeReason('suspended', found) : makeReason('snoozed', { until, snoozes })];
}

function explainPauses({ queue, type }: Job, pauses: readonly Pause[]): Reason[] {
  return pauses
    .filter(({ kind, name }) => name === (kind === 'queue' ? queue : type))
    .map((pause) => makeReason('paused', pause));
}

function explainReaders({ queue, type, version }: Job, readers: Readers): Reason[] {
  const { able, labels, lastWorker, lastSeenMs } = readers;
  if (able > 0) return [];
  const missing = findMissing(readers);
  const lastSeenAt = lastSeenMs === null ? null : new Date(lastSeenMs);
  return [makeReason('no_worker', { queue, type, version, missing, labels, lastWorker, lastSeenAt })];
}

async function explainPlace(
  db: Queryable,
  { id, queue, gates }: Job,
  pauses: readonly Pause[],
  readers: Readers,
): Promise<Reason> {
  const isPaused = (type: string): boolean => pauses.some(({ kind, name }) => kind === 'type' && name === type);
  const types = readers.types.filter((type) => !isPaused(type));
  const { ahead, isAtLeast, perSecond, climbsMs } = await findPlace(db, { id, queue, types });
  const aboutSeconds = perSecond === null ? null : ahead / perSecond;
  return makeReason('behind', {
    queue,
    letInBy: [...new Set(gates.map(({ key }) => ruleOfKey(key)))],
    ahead,
    isAtLeast,
    perSecond,
    aboutSeconds,
    workers: readers.able,
    climbsAt: climbsMs === null ? null : new Date(climbsMs),
  });
}
