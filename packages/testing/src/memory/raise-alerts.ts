import type { AlertLimits, RaisedAlert } from '@duework/queue-core/ports';
import type { MemoryTables } from './memory-tables.js';
import { readQueueDepth } from './read-queue-depth.js';

const HOUR_MS = 3_600_000;

/** The alerts to tell now; a condition that lasts is told once an hour. */
export function raiseAlerts(tables: MemoryTables, { maxDeadPerHour, maxWaitingSeconds }: AlertLimits): RaisedAlert[] {
  const nowMs = tables.nowMs();
  const deadInTheLastHour = [...tables.history.values()].filter(
    (run) => run.status === 'dead' && run.finishedAtMs! > nowMs - HOUR_MS,
  ).length;
  const waitingSeconds = Math.max(0, ...readQueueDepth(tables).map((depth) => depth.oldestWaitingSeconds));
  const alerts: RaisedAlert[] = [];
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
