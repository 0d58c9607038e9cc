import type { AlertLimits, QueueDepth, RaisedAlert } from '@duework/queue-core/ports';
import { canRead } from './can-read.js';
import type { MemoryTables } from '../tables/memory-tables.js';
import { readQueueDepth } from '../operate/read-queue-depth.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LATELY_MS = HOUR_MS / 4;
/** A worker that has not said for so long what it can run counts as gone. */
const READER_MS = 180_000;

/** Returns the alerts to report now; a condition that lasts is reported once an hour. */
export function raiseAlerts(tables: MemoryTables, limits: AlertLimits): RaisedAlert[] {
  const {
    maxDeadPerHour,
    maxWaitingSeconds,
    keepDeadDays = 90,
    maxFailedShare = 0.5,
    minAttempts = 20,
    maxUnservedSeconds = 300,
  } = limits;
  const nowMs = tables.nowMs();
  const deadInTheLastHour = [...tables.history.values()].filter(
    (run) => run.status === 'dead' && run.finishedAtMs! > nowMs - HOUR_MS,
  ).length;
  const isPaused = ({ queue, type }: QueueDepth): boolean =>
    (tables.pauseOf('queue', queue, nowMs) ?? tables.pauseOf('type', type, nowMs)) !== undefined;
  const unpaused = readQueueDepth(tables).filter((depth) => !isPaused(depth));
  const waitingSeconds = Math.max(0, ...unpaused.map((depth) => depth.oldestWaitingSeconds));
  const alerts: RaisedAlert[] = [
    ...expiring(tables, keepDeadDays, nowMs),
    ...failing(tables, maxFailedShare, minAttempts, nowMs),
    ...unserved(tables, maxUnservedSeconds, nowMs),
    ...released(tables),
  ];
  if (waitingSeconds > maxWaitingSeconds)
    alerts.push({
      name: 'oldest_job_waits_too_long',
      facts: { waitingSeconds: Math.round(waitingSeconds), limit: maxWaitingSeconds },
    });
  if (deadInTheLastHour > maxDeadPerHour)
    alerts.push({ name: 'too_many_dead_jobs', facts: { deadInTheLastHour, limit: maxDeadPerHour } });
  return alerts.filter(({ name }) => {
    const toldAtMs = tables.alertsToldAtMs.get(name) ?? -Infinity;
    if (toldAtMs > nowMs - HOUR_MS) return false;
    tables.alertsToldAtMs.set(name, nowMs);
    return true;
  });
}

/** Dead runs that nobody has acknowledged and that are deleted within a week, or within half their retention. */
function expiring(tables: MemoryTables, keepDeadDays: number, nowMs: number): RaisedAlert[] {
  const beforeMs = nowMs - (keepDeadDays - Math.min(7, keepDeadDays / 2)) * DAY_MS;
  const runs = [...tables.history.values()].filter(
    ({ status, acknowledgedAtMs, finishedAtMs }) =>
      status === 'dead' && acknowledgedAtMs === null && finishedAtMs! < beforeMs,
  );
  if (runs.length === 0) return [];
  const oldestDay = Math.floor(Math.min(...runs.map((run) => run.finishedAtMs!)) / DAY_MS);
  const oldestGoesAt = new Date((oldestDay + keepDeadDays + 1) * DAY_MS).toISOString().replace('.000', '');
  return [{ name: 'dead_runs_expire', facts: { runs: runs.length, keepDeadDays, oldestGoesAt } }];
}

/** The type with the largest share of attempts that failed within 15 minutes, where that is too large. */
function failing(tables: MemoryTables, limit: number, minAttempts: number, nowMs: number): RaisedAlert[] {
  const counts = new Map<string, { failed: number; attempts: number }>();
  const count = (type: string, failed: 0 | 1): void => {
    const known = counts.get(type) ?? { failed: 0, attempts: 0 };
    counts.set(type, { failed: known.failed + failed, attempts: known.attempts + 1 });
  };
  for (const run of tables.history.values())
    if (run.status === 'succeeded' && run.finishedAtMs! >= nowMs - LATELY_MS) count(run.type, 0);
  for (const [id, attempts] of tables.attempts) {
    for (const { outcome, finishedAt } of attempts)
      if ((outcome === 'failed' || outcome === 'lost') && finishedAt.getTime() >= nowMs - LATELY_MS)
        count(tables.find(id)!.type, 1);
  }
  const found = [...counts]
    .map(([type, { failed, attempts }]) => ({ type, failed, attempts, share: failed / attempts }))
    .filter(({ failed, attempts, share }) => failed > 0 && attempts >= minAttempts && share >= limit)
    .sort((left, right) => right.share - left.share || right.failed - left.failed);
  const [worst] = found;
  if (worst === undefined) return [];
  const share = Math.round(worst.share * 100) / 100;
  return [
    {
      name: 'failing_job_type',
      facts: { ...worst, share, limit, seconds: LATELY_MS / 1_000, others: found.length - 1 },
    },
  ];
}

/** What no worker that lives can read, and has waited the longest. */
function unserved(tables: MemoryTables, limit: number, nowMs: number): RaisedAlert[] {
  const readers = [...tables.readers.values()].filter(({ seenAtMs }) => seenAtMs > nowMs - READER_MS);
  const counts = new Map<string, { type: string; version: number; queue: string; waiting: number; dueMs: number }>();
  for (const { type, version, queue, status, runAtMs, heldBy } of tables.live.values()) {
    if (status === 'running' || runAtMs > nowMs || heldBy !== null) continue;
    const isRead = readers.some(
      ({ queues, contracts }) => queues.includes(queue) && canRead(contracts, { type, version }),
    );
    if (isRead) continue;
    const name = `${queue} ${version} ${type}`;
    const known = counts.get(name) ?? { type, version, queue, waiting: 0, dueMs: Infinity };
    counts.set(name, { ...known, waiting: known.waiting + 1, dueMs: Math.min(known.dueMs, runAtMs) });
  }
  const found = [...counts.values()]
    .filter(({ dueMs }) => dueMs < nowMs - limit * 1_000)
    .sort((left, right) => left.dueMs - right.dueMs);
  if (found.length === 0) return [];
  const { dueMs, ...oldest } = found[0]!;
  const waitingSeconds = Math.round((nowMs - dueMs) / 1_000);
  return [{ name: 'no_worker_for_type', facts: { ...oldest, waitingSeconds, limit, others: found.length - 1 } }];
}

/** The run that stopping workers have given back most often while it ran, where its contract allows fewer. */
function released(tables: MemoryTables): RaisedAlert[] {
  const contracts = [...tables.readers.values()].map((reader) => reader.contracts);
  const limitOf = (type: string): number =>
    contracts.map((known) => known.get(type)?.alertAfterReleases).find((limit) => limit !== undefined) ?? 5;
  const found = [...tables.live.values()]
    .filter(({ type, releases }) => releases > limitOf(type))
    .sort((left, right) => right.releases - left.releases || left.number - right.number);
  const [worst] = found;
  if (worst === undefined) return [];
  const { type, id, releases } = worst;
  const facts = { type, id, releases, limit: limitOf(type), others: found.length - 1 };
  return [{ name: 'job_released_too_often', facts }];
}
