import type { Job } from '@duework/queue-core';
import { splitId } from '@duework/shards';
import type { JobSearch, Operations } from '../operations/operations.js';

const PAGE = 200;
/** Pages of a look: more jobs than these that come within it are passed over. */
const MAX_PAGES = 5;
/** Values of a term of a filter. */
const MAX_IDS = 100;
/** Jobs that are looked after when they fit the filter no more. */
const MAX_LIVE = 1_000;

interface FollowOptions {
  /** How many of the newest it begins with. */
  readonly first: number;
  /** Asked after each look; `live`: how many of the jobs that it has told have not ended. */
  readonly isOver: (seen: { readonly live: number }) => boolean;
  readonly pause: () => Promise<void>;
}

/**
 * The jobs that fit a filter, each as it is found and again after each change, also after the one by which it fits no more.
 * A look reads the newest pages of the filter, and by their ids those that it has told and that still live.
 */
export async function* followJobs(
  { findJobs }: Pick<Operations, 'findJobs'>,
  filter: string,
  { first, isOver, pause }: FollowOptions,
): AsyncGenerator<Job> {
  const revisions = new Map<string, string>();
  const told = new Set<string>();
  const live = new Set<string>();
  const note = (job: Job): void => {
    revisions.set(job.id, revisionOf(job));
    told.add(job.id);
    if (job.finishedAt === null && live.size < MAX_LIVE) live.add(job.id);
    else live.delete(job.id);
  };
  const begin = await findJobs({ filter, limit: PAGE });
  for (const job of begin.jobs) revisions.set(job.id, revisionOf(job));
  // older ones come into the page when others leave it: they are no news
  const isNews = begin.nextCursor === null ? () => true : behind(begin.jobs);
  for (const job of begin.jobs.slice(0, first).reverse()) {
    note(job);
    yield job;
  }
  while (!isOver({ live: live.size })) {
    await pause();
    const found = await findNewest(findJobs, filter, revisions);
    const ids = [...live].filter((id) => !found.has(id));
    for (let from = 0; from < ids.length; from += MAX_IDS)
      for (const job of (await findJobs({ filter: `id:${ids.slice(from, from + MAX_IDS).join(',')}`, limit: PAGE }))
        .jobs)
        found.set(job.id, job);
    const changed = [...found.values()].filter(
      (job) => revisions.get(job.id) !== revisionOf(job) && (told.has(job.id) || isNews(job)),
    );
    for (const id of revisions.keys()) if (!found.has(id)) revisions.delete(id);
    for (const job of found.values()) revisions.set(job.id, revisionOf(job));
    for (const job of changed.sort(byAge)) {
      note(job);
      yield job;
    }
  }
}

async function findNewest(
  findJobs: (search: JobSearch) => Promise<{ readonly jobs: readonly Job[]; readonly nextCursor: string | null }>,
  filter: string,
  known: ReadonlyMap<string, string>,
): Promise<Map<string, Job>> {
  const found = new Map<string, Job>();
  let cursor: string | null | undefined;
  for (let page = 0; page < MAX_PAGES && cursor !== null; page++) {
    const { jobs, nextCursor } = await findJobs({ filter, limit: PAGE, cursor: cursor ?? undefined });
    for (const job of jobs) found.set(job.id, job);
    // where one is known, what is behind it has been read before
    cursor = jobs.some(({ id }) => known.has(id)) ? null : nextCursor;
  }
  return found;
}

/** The number of a job in its database. */
const numberOf = ({ id }: Job): bigint => BigInt(splitId(id).id);

/** Whether a job came behind the oldest of some, of its own shard where there are several: of two, the moments say it. */
function behind(jobs: readonly Job[]): (job: Job) => boolean {
  const oldest = new Map<string | null, bigint>();
  for (const job of jobs) {
    const { shard } = splitId(job.id);
    const least = oldest.get(shard);
    if (least === undefined || numberOf(job) < least) oldest.set(shard, numberOf(job));
  }
  const sinceMs = Math.min(...jobs.map(({ createdAt }) => createdAt.getTime()));
  return (job) => {
    const least = oldest.get(splitId(job.id).shard);
    return least === undefined ? job.createdAt.getTime() >= sinceMs : numberOf(job) >= least;
  };
}

const byAge = (a: Job, b: Job): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (numberOf(a) < numberOf(b) ? -1 : 1);

/** Another one after each change that people see. */
const revisionOf = ({ status, attempts, runAt, queue, priority, progress, cancelRequestedAt, snoozes }: Job): string =>
  JSON.stringify([status, attempts, runAt, queue, priority, progress, cancelRequestedAt, snoozes]);
