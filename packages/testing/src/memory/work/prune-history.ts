import type { Retention } from '@duework/queue-core';
import { retentionOf } from '@duework/queue-core/ports';
import type { MemoryTables } from '../tables/memory-tables.js';

const DAY_MS = 86_400_000;

/**
 * Forgets what finished before the day (UTC) up to which its status is kept, with all that belongs to it, but for the
 * children and the batch's jobs of what is kept; returns how many days that were.
 */
export function pruneHistory(tables: MemoryTables, keep: Retention): number {
  const { keepDays, keepDeadDays } = keep;
  const nowMs = tables.nowMs();
  const dayBefore = (days: number): number => (Math.floor(nowMs / DAY_MS) - days) * DAY_MS;
  const oldestMs = dayBefore(keepDays);
  const oldestDeadMs = dayBefore(Math.max(keepDays, keepDeadDays));
  tables.batches.prune(oldestMs, oldestDeadMs);
  const droppedDays = new Set<number>();
  // who goes may have kept others
  for (let hasGone = true; hasGone;) {
    hasGone = false;
    const kept = keptByParents(tables);
    for (const run of tables.history.values()) {
      const own = retentionOf(keep, tables.ownDaysOf(run.type));
      if (run.finishedAtMs! >= dayBefore(run.status === 'dead' ? own.keepDeadDays : own.keepDays)) continue;
      if (kept.has(run.id) || tables.batches.keeps(run)) continue;
      droppedDays.add(Math.floor(run.finishedAtMs! / DAY_MS));
      tables.forget(run);
      hasGone = true;
    }
  }
  // live runs lose the attempts that are older than anything that is kept
  for (const [id, attempts] of tables.attempts) {
    if (tables.history.has(id)) continue;
    const kept = attempts.filter((attempt) => attempt.finishedAt.getTime() >= oldestDeadMs);
    if (kept.length === 0) tables.attempts.delete(id);
    else if (kept.length < attempts.length) tables.attempts.set(id, kept);
  }
  for (const [key, { expiresAtMs }] of tables.keys)
    if (expiresAtMs !== null && expiresAtMs <= nowMs) tables.keys.delete(key);
  pruneSignals(tables, nowMs - keepDays * DAY_MS);
  return droppedDays.size;
}

/** The children of whatever there is, but for those that are older than their parent and were another's before. */
function keptByParents(tables: MemoryTables): Set<string> {
  const kept = new Set<string>();
  for (const [id, children] of tables.children) {
    const parent = tables.find(id);
    if (parent === undefined) continue;
    for (const child of children.values()) if ((tables.find(child)?.number ?? 0) > parent.number) kept.add(child);
  }
  return kept;
}

function pruneSignals(tables: MemoryTables, oldestMs: number): void {
  for (const [awaited, signals] of tables.signals) {
    const kept = signals.filter(({ sentAtMs }) => sentAtMs >= oldestMs);
    if (kept.length === 0) tables.signals.delete(awaited);
    else tables.signals.set(awaited, kept);
  }
}
