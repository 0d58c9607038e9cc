import type { JobFilter, JobRows } from '@duework/queue-core/internals';
import { toJob, type MemoryRun } from './memory-run.js';
import type { MemoryTables } from './memory-tables.js';

/** Runs, live or finished, newest first (by id); what runs comes the longest due first. All of them are looked at. */
export function listJobs(tables: MemoryTables, { status, type, queue, cursor, limit }: JobFilter): JobRows {
  const { order, cursorOf } = status === 'running' ? BY_DUE_TIME : BY_ID;
  const isAfter = cursor === undefined ? () => true : afterCursor(cursor);
  const found = [...tables.live.values(), ...tables.history.values()]
    .filter(
      (run) =>
        (status === undefined || run.status === status) &&
        (type === undefined || run.type === type) &&
        (queue === undefined || run.queue === queue) &&
        isAfter(run),
    )
    .sort(order);
  const page = found.slice(0, limit);
  return { jobs: page.map(toJob), nextCursor: found.length > limit ? cursorOf(page.at(-1)!) : null };
}

const BY_ID = {
  order: (left: MemoryRun, right: MemoryRun) => right.number - left.number,
  cursorOf: (run: MemoryRun) => run.id,
};
const BY_DUE_TIME = {
  order: (left: MemoryRun, right: MemoryRun) => left.runAtMs - right.runAtMs || left.number - right.number,
  cursorOf: (run: MemoryRun) => `${Math.round(run.runAtMs * 1_000)}-${run.id}`,
};

function afterCursor(cursor: string): (run: MemoryRun) => boolean {
  const [first, id] = cursor.split('-').map(Number);
  if (id === undefined) return (run) => run.number < first!;
  return (run) => run.runAtMs > first! / 1_000 || (run.runAtMs === first! / 1_000 && run.number > id);
}
