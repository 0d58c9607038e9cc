import { ALERT_LATELY_MS, nameError, retentionOf, type AlertView } from '@duework/queue-core/ports';
import { attemptsOf, type BullmqRun } from '../jobs/decode-job.js';
import { FIELD } from '../jobs/fields.js';
import { toJobId } from '../jobs/job-id.js';
import { isPaused, readPauses } from '../operate/pauses.js';
import { scanLive } from '../operate/scan-live.js';
import type { Queues } from '../redis/queues.js';
import { canRead, readOwnDays, readReaders } from './readers.js';
import { scanFinished } from './scan-finished.js';

const MAX_RELEASES = 5;
const HOUR_MS = 3_600_000;

/** What Redis knows of its runs, as alerts look at them; of many those that were looked at. */
export async function viewForAlerts(queues: Queues): Promise<AlertView> {
  const nowMs = Date.now();
  const sinceMs = nowMs - ALERT_LATELY_MS;
  const [live, pauses, readers, own, completed, lately, old] = await Promise.all([
    scanLive(queues),
    readPauses(queues, nowMs),
    readReaders(queues),
    readOwnDays(queues),
    scanFinished(queues, 'completed', sinceMs, Infinity),
    scanFinished(queues, 'failed', nowMs - HOUR_MS, Infinity),
    scanFinished(queues, 'failed', -Infinity, nowMs - HOUR_MS - 1),
  ]);
  const runs = live.flatMap((one) => one.runs);
  return {
    nowMs,
    dead: [...lately, ...old].filter(({ status }) => status === 'dead').map(toDead),
    attempts: [
      ...completed.map(({ type }) => ({ type, isFailed: false, error: null })),
      ...[...runs, ...completed, ...lately].flatMap((run) => failuresOf(run, sinceMs)),
    ],
    live: runs
      .toSorted((left, right) => left.createdAtMs - right.createdAtMs)
      .map((run) => ({ ...run, id: toJobId(run), isRunning: run.status === 'running' })),
    isPaused: (queue, type) => isPaused(pauses, 'queue', queue) || isPaused(pauses, 'type', type),
    isRead: (queue, type, version) => canRead(readers, queue, type, version),
    releasesOf: (type) =>
      readers.map(({ types }) => types[type]?.[2]).find((limit) => limit !== undefined) ?? MAX_RELEASES,
    deadDaysOf: (type, others) => retentionOf({ keepDays: others, keepDeadDays: others }, own.of(type)).keepDeadDays,
  };
}

const toDead = (run: BullmqRun): AlertView['dead'][number] => ({
  id: toJobId(run),
  type: run.type,
  finishedAtMs: run.finishedAtMs!,
  error: nameError(run.raw[FIELD.errorCode] ?? null, run.raw[FIELD.errorType] ?? null),
  isAcknowledged: Boolean(run.raw[FIELD.acknowledgedAt]),
});

const failuresOf = (run: BullmqRun, sinceMs: number): AlertView['attempts'] =>
  attemptsOf(run)
    .filter(({ outcome, finishedAt }) => /^(failed|lost)$/.test(outcome) && finishedAt.getTime() >= sinceMs)
    .map(({ errorCode, errorType }) => ({ type: run.type, isFailed: true, error: nameError(errorCode, errorType) }));
