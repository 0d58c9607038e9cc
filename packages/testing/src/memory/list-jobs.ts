import type { Job } from '@duework/queue-core';
import type { JobFilter } from '@duework/queue-core/internals';
import { toJob } from './memory-run.js';
import type { MemoryTables } from './memory-tables.js';

/** Runs, live or finished, newest first (by id). */
export function listJobs(tables: MemoryTables, { status, type, beforeId, limit }: JobFilter): Job[] {
  return [...tables.live.values(), ...tables.history.values()]
    .filter(
      (run) =>
        (status === undefined || run.status === status) &&
        (type === undefined || run.type === type) &&
        (beforeId === undefined || run.number < Number(beforeId)),
    )
    .sort((left, right) => right.number - left.number)
    .slice(0, limit)
    .map(toJob);
}
