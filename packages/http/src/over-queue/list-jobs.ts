import { readFilter } from '@duework/operate';
import { DueworkError, type JobListing, type JobQueue } from '@duework/queue-core';
import { narrowFilter } from '../access/narrow-filter.js';
import { showJob } from '../access/shown/show-values.js';
import type { ApiContext } from '../api.js';
import { answerExactly } from '../http/exact-json.js';
import { parseQuery } from '../http/requests/parse-query.js';
import { encodeCursor } from '../jobs/cursor.js';
import { filterAlone, jobsQuery } from '../jobs/filter-query.js';
import type { Plan, QueueParts } from './plan.js';
import { readListing } from './read-listing.js';

const SAYS = 'This queue lists by one status, one type and one queue; any other term is refused with `not_supported`.';

/** Which jobs a request means that has a filter; null: no job can fit. Throws `invalid_filter`, `not_supported`. */
const askedListing = (c: ApiContext, filter: string): JobListing | null =>
  readListing(narrowFilter(c.get('principal'), readFilter(filter)));

/** A page of jobs, on but not back. */
export const listJobs = ({ queue, catalog }: QueueParts): Plan => ({
  says: `${SAYS} It leads on, not back.`,
  async handle(c) {
    const { cursor, limit, filter } = parseQuery(jobsQuery, c);
    const listing = askedListing(c, filter);
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const page = listing === null ? NOTHING : await queue.findJobs({ ...listing, limit, cursor: after });
    return answerExactly(c, {
      jobs: page.jobs.map((job) => showJob(catalog, c.get('principal'), job)),
      nextCursor: page.nextCursor === null ? null : encodeCursor(page.nextCursor),
      previousCursor: null,
      complete: true,
      hint: null,
    });
  },
});

const NOTHING = { jobs: [], nextCursor: null };

/** The place where a page ended, as its store wrote it. Throws `invalid_cursor`. */
function decodeCursor(cursor: string): string {
  try {
    const { after } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as { readonly after?: unknown };
    if (typeof after === 'string' && encodeCursor(after) === cursor) return after;
  } catch {
    // no cursor of this list
  }
  throw new DueworkError('invalid_cursor', { cursor });
}

/** What it can list it can follow. */
export const followListed: Plan = {
  says: 'It follows what this queue can list.',
  handle(c, route) {
    askedListing(c, parseQuery(filterAlone, c).filter);
    return route.handle(c);
  },
};

/** Counting reads the jobs: so many of them. */
const MOST_COUNTED = 1_000;
const PAGE = 200;

/** How many jobs fit, exact up to 1,000. */
export const countJobs = ({ queue }: QueueParts): Plan => ({
  says: `${SAYS} It counts up to 1,000.`,
  async handle(c) {
    const listing = askedListing(c, parseQuery(filterAlone, c).filter);
    const { count, atLeast } = listing === null ? { count: 0, atLeast: false } : await countUp(queue, listing);
    return c.json({ count, atLeast, text: count.toLocaleString('en-US') + (atLeast ? '+' : '') });
  },
});

async function countUp(queue: JobQueue, listing: JobListing): Promise<{ count: number; atLeast: boolean }> {
  let count = 0;
  let cursor: string | undefined;
  // a page may be empty, and not the last
  for (let pages = 0; pages < MOST_COUNTED / PAGE; pages++) {
    const page = await queue.findJobs({ ...listing, limit: PAGE, cursor });
    count += page.jobs.length;
    if (page.nextCursor === null) return { count, atLeast: false };
    cursor = page.nextCursor;
  }
  return { count, atLeast: true };
}
