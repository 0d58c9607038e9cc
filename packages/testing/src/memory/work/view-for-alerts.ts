import { ALERT_LATELY_MS, nameError, retentionOf, type AlertView } from '@duework/queue-core/ports';
import { canRead } from './can-read.js';
import type { MemoryTables } from '../tables/memory-tables.js';

/** A worker that has not said for so long what it can run counts as gone. */
const READER_MS = 180_000;

/** What the store knows of its runs, as alerts look at them. */
export function viewForAlerts(tables: MemoryTables): AlertView {
  const nowMs = tables.nowMs();
  const readers = [...tables.readers.values()];
  const living = readers.filter(({ seenAtMs }) => seenAtMs > nowMs - READER_MS);
  const finished = [...tables.history.values()];
  const sinceMs = nowMs - ALERT_LATELY_MS;
  return {
    nowMs,
    dead: finished
      .filter(({ status }) => status === 'dead')
      .map(({ id, type, finishedAtMs, errorCode, errorType, acknowledgedAtMs }) => ({
        id,
        type,
        finishedAtMs: finishedAtMs!,
        error: nameError(errorCode, errorType),
        isAcknowledged: acknowledgedAtMs !== null,
      })),
    attempts: [
      ...finished
        .filter(({ status, finishedAtMs }) => status === 'succeeded' && finishedAtMs! >= sinceMs)
        .map(({ type }) => ({ type, isFailed: false, error: null })),
      ...[...tables.attempts].flatMap(([id, attempts]) =>
        attempts
          .filter(({ outcome, finishedAt }) => /^(failed|lost)$/.test(outcome) && finishedAt.getTime() >= sinceMs)
          .map(({ errorCode, errorType }) => ({
            type: tables.find(id)!.type,
            isFailed: true,
            error: nameError(errorCode, errorType),
          })),
      ),
    ],
    live: [...tables.live.values()]
      .filter(({ heldBy }) => heldBy === null)
      .map((run) => ({ ...run, isRunning: run.status === 'running' })),
    isPaused: (queue, type) =>
      (tables.pauseOf('queue', queue, nowMs) ?? tables.pauseOf('type', type, nowMs)) !== undefined,
    isRead: (queue, type, version) =>
      living.some(({ queues, contracts }) => queues.includes(queue) && canRead(contracts, { type, version })),
    releasesOf: (type) =>
      readers.map(({ contracts }) => contracts.get(type)?.alertAfterReleases).find((limit) => limit !== undefined) ?? 5,
    deadDaysOf: (type, others) =>
      retentionOf({ keepDays: others, keepDeadDays: others }, tables.ownDaysOf(type)).keepDeadDays,
  };
}
