import { DueworkError } from '@duework/queue-core';
import type { JobFilter, JobPage } from '@duework/queue-core/ports';
import { numberOf } from './memory-id.js';
import { toJob } from './memory-run.js';
import type { MemoryTables } from './memory-tables.js';

/** Runs, live or finished, newest first (by id). A cursor is the id of the last one of a page. */
export function listJobs(tables: MemoryTables, { status, type, cursor, limit }: JobFilter): JobPage {
  const before = cursor === undefined ? Infinity : numberOf(cursor);
  if (before === null) throw new DueworkError('invalid_cursor', { cursor: cursor! });
  const found = [...tables.live.values(), ...tables.history.values()]
    .filter(
      (run) =>
        (status === undefined || run.status === status) &&
        (type === undefined || run.type === type) &&
        run.number < before,
    )
    .sort((left, right) => right.number - left.number);
  const page = found.slice(0, limit);
  return { jobs: page.map(toJob), nextCursor: found.length > limit ? page.at(-1)!.id : null };
}
