import type { Pause } from '@duework/queue-core/ports';
import type { MemoryTables } from '../tables/memory-tables.js';

/** The pauses that hold, by kind and name. */
export function listPauses(tables: MemoryTables): Pause[] {
  const nowMs = tables.nowMs();
  return [...tables.pauses.values()]
    .filter(({ kind, name }) => tables.pauseOf(kind, name, nowMs) !== undefined)
    .sort((left, right) => (placeOf(left) < placeOf(right) ? -1 : 1));
}

const placeOf = ({ kind, name }: Pause): string => `${kind} ${name}`;
