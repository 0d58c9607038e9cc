import type { MemoryTables } from './memory-tables.js';

const DAY_MS = 86_400_000;

/** Forgets what finished before the day that lies `keepDays` days back (UTC), with all that belongs to it; returns how many days that were. */
export function retainHistory(tables: MemoryTables, keepDays: number): number {
  const nowMs = tables.nowMs();
  const oldestMs = (Math.floor(nowMs / DAY_MS) - keepDays) * DAY_MS;
  const droppedDays = new Set<number>();
  for (const run of tables.history.values()) {
    if (run.finishedAtMs! >= oldestMs) continue;
    droppedDays.add(Math.floor(run.finishedAtMs! / DAY_MS));
    tables.forget(run);
  }
  // runs that live on lose the attempts of those days
  for (const [id, attempts] of tables.attempts) {
    const kept = attempts.filter((attempt) => attempt.finishedAt.getTime() >= oldestMs);
    if (kept.length === 0) tables.attempts.delete(id);
    else if (kept.length < attempts.length) tables.attempts.set(id, kept);
  }
  for (const [key, { expiresAtMs }] of tables.keys)
    if (expiresAtMs !== null && expiresAtMs <= nowMs) tables.keys.delete(key);
  return droppedDays.size;
}
