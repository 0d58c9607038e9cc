import { type Queryable, readUnservedJobs, type UnservedJobs } from '@duework/queue-core';
import { findMissing, type Missing } from '../explain/find-missing.js';
import { findReaders } from '../explain/sql/find-readers.js';

/** Due jobs of one queue, type and version that no live worker can take. */
export interface UnservedType extends UnservedJobs {
  /** What is missing: any worker, one for the type, one that claims from the queue, or one that reads the version. */
  readonly missing: Missing;
  /** The last worker that could, and when it was seen for the last time; null: none within 30 days. */
  readonly lastWorker: string | null;
  readonly lastSeenAt: Date | null;
}

/** The most that one answer has, those that have waited longest. Each takes a small read of its own. */
const MAX_TYPES = 20;

/** What is due and nobody can run, what waits longest first, and who could run it last; at most 20 of them. */
export async function readUnserved(db: Queryable): Promise<UnservedType[]> {
  const unserved = await readUnservedJobs(db);
  const longest = unserved
    .sort((left, right) => right.oldestWaitingSeconds - left.oldestWaitingSeconds)
    .slice(0, MAX_TYPES);
  const types: UnservedType[] = [];
  for (const jobs of longest) {
    const readers = await findReaders(db, jobs);
    const { lastWorker, lastSeenMs } = readers;
    types.push({
      ...jobs,
      missing: findMissing(readers),
      lastWorker,
      lastSeenAt: lastSeenMs === null ? null : new Date(lastSeenMs),
    });
  }
  return types;
}
