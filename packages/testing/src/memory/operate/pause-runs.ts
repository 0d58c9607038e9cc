import type { NewPause, Pause } from '@duework/queue-core/ports';
import { keyOf, type MemoryTables } from '../tables/memory-tables.js';

/** Writes a pause; one that holds keeps its beginning. null: its end has passed. */
export function pauseRuns(tables: MemoryTables, { kind, name, until, act }: NewPause): Pause | null {
  const nowMs = tables.nowMs();
  if (until !== null && Date.parse(until) <= nowMs) return null;
  const pause: Pause = {
    kind,
    name,
    since: tables.pauseOf(kind, name, nowMs)?.since ?? new Date(nowMs),
    until: until === null ? null : new Date(until),
    by: act.by ?? null,
    reason: act.reason ?? null,
  };
  tables.pauses.set(keyOf(kind, name), pause);
  return pause;
}
