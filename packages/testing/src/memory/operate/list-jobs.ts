import { DueworkError } from '@duework/queue-core';
import type { JobFilter, JobPage } from '@duework/queue-core/ports';
import { numberOf } from '../tables/memory-id.js';
import { toJob, type MemoryRun } from '../tables/memory-run.js';
import type { MemoryTables } from '../tables/memory-tables.js';

/**
 * Runs, live or finished, newest first; running ones the longest due first. Scans all of them. A cursor is the id of a
 * page's last run, with its due time before it where that is the order.
 */
export function listJobs(tables: MemoryTables, { status, type, queue, cursor, limit }: JobFilter): JobPage {
  const { order, cursorOf, read } = status === 'running' ? BY_DUE_TIME : BY_ID;
  const last = cursor === undefined ? null : read(cursor);
  if (last === undefined) throw new DueworkError('invalid_cursor', { cursor: cursor! });
  const found = [...tables.live.values(), ...tables.history.values()]
    .filter(
      (run) =>
        (status === undefined || run.status === status) &&
        (type === undefined || run.type === type) &&
        (queue === undefined || run.queue === queue) &&
        (last === null || order(last, run) < 0),
    )
    .sort(order);
  const page = found.slice(0, limit);
  return {
    jobs: page.map((run) => toJob(run, tables.nowMs())),
    nextCursor: found.length > limit ? cursorOf(page.at(-1)!) : null,
  };
}

type Place = Pick<MemoryRun, 'number' | 'runAtMs'>;

interface Order {
  order(left: Place, right: Place): number;
  cursorOf(run: MemoryRun): string;
  /** undefined: the cursor does not belong to this order. */
  read(cursor: string): Place | undefined;
}

const BY_ID: Order = {
  order: (left, right) => right.number - left.number,
  cursorOf: (run) => run.id,
  read: (cursor) => toPlace('0', cursor),
};

const BY_DUE_TIME: Order = {
  order: (left, right) => left.runAtMs - right.runAtMs || left.number - right.number,
  cursorOf: (run) => `${run.runAtMs}-${run.id}`,
  read: (cursor) =>
    toPlace(...((/^([\d.]{1,20})-(m\d+)$/.exec(cursor)?.slice(1) as [string, string] | undefined) ?? ['', ''])),
};

function toPlace(runAtMs: string, id: string): Place | undefined {
  const number = numberOf(id);
  return number === null ? undefined : { number, runAtMs: Number(runAtMs) };
}
