import type { Retention } from '@duework/queue-core';
import type { MemoryTables } from '../tables/memory-tables.js';

const DAY_MS = 86_400_000;

/**
 * Forgets what finished before the day (UTC) up to which its status is kept, with all that belongs to it; returns how
 * many days that were.
 */
export function pruneHistory(tables: MemoryTables, { keepDays, keepDeadDays }: Retention): number {
  const nowMs = tables.nowMs();
  const dayBefore = (days: number): number => (Math.floor(nowMs / DAY_MS) - days) * DAY_MS;
  const oldestMs = dayBefore(keepDays);
  const oldestDeadMs = dayBefore(keepDeadDays);
  const droppedDays = new Set<number>();
  for (const run of tables.history.values()) {
    if (run.finishedAtMs! >= (run.status === 'dead' ? oldestDeadMs : oldestMs)) continue;
    droppedDays.add(Math.floor(run.finishedAtMs! / DAY_MS));
    tables.forget(run);
  }
  // live runs lose the attempts that are older than anything that is kept
  const oldestAttemptMs = Math.min(oldestMs, oldestDeadMs);
  for (const [id, attempts] of tables.attempts) {
    const kept = attempts.filter((attempt) => attempt.finishedAt.getTime() >= oldestAttemptMs);
    if (kept.length === 0) tables.attempts.delete(id);
    else if (kept.length < attempts.length) tables.attempts.set(id, kept);
  }
  for (const [key, { expiresAtMs }] of tables.keys)
    if (expiresAtMs !== null && expiresAtMs <= nowMs) tables.keys.delete(key);
  tables.batches.prune(Math.min(oldestMs, oldestDeadMs));
  pruneSignals(tables, nowMs - keepDays * DAY_MS);
  return droppedDays.size;
}

function pruneSignals(tables: MemoryTables, oldestMs: number): void {
  for (const [awaited, signals] of tables.signals) {
    const kept = signals.filter(({ sentAtMs }) => sentAtMs >= oldestMs);
    if (kept.length === 0) tables.signals.delete(awaited);
    else tables.signals.set(awaited, kept);
  }
}
