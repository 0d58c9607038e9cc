import type { AlertLimits, RaisedAlert } from '@duework/queue-core/ports';
import type { MemoryTables } from './memory-tables.js';
import { readQueueDepth } from './read-queue-depth.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LATELY_MS = HOUR_MS / 4;

/** Returns the alerts to report now; a condition that lasts is reported once an hour. */
export function raiseAlerts(tables: MemoryTables, limits: AlertLimits): RaisedAlert[] {
  const { maxDeadPerHour, maxWaitingSeconds, keepDeadDays = 90, maxFailedShare = 0.5, minAttempts = 20 } = limits;
  const nowMs = tables.nowMs();
  const deadInTheLastHour = [...tables.history.values()].filter(
    (run) => run.status === 'dead' && run.finishedAtMs! > nowMs - HOUR_MS,
  ).length;
  const waitingSeconds = Math.max(0, ...readQueueDepth(tables).map((depth) => depth.oldestWaitingSeconds));
  const alerts: RaisedAlert[] = [
    ...expiring(tables, keepDeadDays, nowMs),
    ...failing(tables, maxFailedShare, minAttempts, nowMs),
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
