import { DueworkError } from '@duework/queue-core';
import type { JobFilter, JobPage } from '@duework/queue-core/ports';
import type { BullmqRun } from '../jobs/decode-job.js';
import { readJobId, toJobId } from '../jobs/job-id.js';
import type { Queues } from '../redis/queues.js';
import { readRuns } from '../redis/read-runs.js';
import { showRun } from './find-run.js';
import { type ListedPlace, PLACES_AT_ONCE, readPlaces } from './read-places.js';

/** A page looks at so many runs, of which few may fit. */
const MAX_LOOKED_AT = 1_000;

/**
 * Runs, live or finished, newest first; running ones the longest due first. A cursor is the place of a page's last run: its
 * moment and its id.
 */
export async function listRuns(queues: Queues, filter: JobFilter): Promise<JobPage> {
  const last = filter.cursor === undefined ? null : readCursor(filter.cursor);
  return filter.status === 'running' ? listRunning(queues, filter, last) : listNewest(queues, filter, last);
}

async function listNewest(queues: Queues, filter: JobFilter, last: ListedPlace | null): Promise<JobPage> {
  const found: BullmqRun[] = [];
  let place = last;
  for (let looked = 0; looked < MAX_LOOKED_AT; looked += PLACES_AT_ONCE) {
    const places = await readPlaces(queues, place);
    const runs = await readRuns(
      queues,
      places.map(({ id }) => readJobId(id)!),
    );
    for (const [at, run] of runs.entries()) {
      if (run !== null && fits(run, filter)) {
        if (found.length === filter.limit) return page(queues, found, place);
        found.push(run);
      }
      place = places[at]!;
    }
    if (places.length < PLACES_AT_ONCE) return page(queues, found, null);
  }
  return page(queues, found, place);
}

/** All that run are looked at: they are no more than the workers have slots. */
async function listRunning(queues: Queues, filter: JobFilter, last: ListedPlace | null): Promise<JobPage> {
  const members = await queues.redis.zrange(queues.leases, 0, '-1');
  const runs = await readRuns(
    queues,
    members.map((member) => readJobId(member)!),
  );
  const found = runs
    .filter((run) => run !== null && fits(run, filter))
    .map((run) => ({ run: run!, place: { atMs: run!.runAtMs, id: toJobId(run!) } }))
    .filter(({ place }) => last === null || comparePlaces(last, place) < 0)
    .sort((left, right) => comparePlaces(left.place, right.place));
  const shown = found.slice(0, filter.limit);
  const isLast = found.length <= filter.limit;
  return page(
    queues,
    shown.map(({ run }) => run),
    isLast ? null : shown.at(-1)!.place,
  );
}

function comparePlaces(left: ListedPlace, right: ListedPlace): number {
  return left.atMs - right.atMs || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
}

function fits(run: BullmqRun, { status, type, queue }: JobFilter): boolean {
  return (
    (status === undefined || run.status === status) &&
    (type === undefined || run.type === type) &&
    (queue === undefined || run.queue === queue)
  );
}

async function page(queues: Queues, runs: readonly BullmqRun[], last: ListedPlace | null): Promise<JobPage> {
  const jobs = await Promise.all(runs.map((run) => showRun(queues, run)));
  return { jobs, nextCursor: last === null ? null : `${last.atMs}-${last.id}` };
}

function readCursor(cursor: string): ListedPlace {
  const [, atMs, id] = /^(\d{1,16})-(.+)$/.exec(cursor) ?? [];
  if (atMs === undefined || readJobId(id!) === null) throw new DueworkError('invalid_cursor', { cursor });
  return { atMs: Number(atMs), id: id! };
}
