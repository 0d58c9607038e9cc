import type { JobFilter } from '@duework/filter';
import { DueworkError, type Queryable } from '@duework/queue-core';
import { searchJobs as findPage, type SearchPage } from '@duework/queue-core/internals';
import { planSearch } from './plan-search.js';
import { readFilter } from './read-filter.js';
import { suggestNarrower } from './suggest-narrower.js';

export interface JobSearchOptions {
  /** As it is typed, or as `parseFilter` returned it; nothing: every job. */
  readonly filter?: JobFilter | string | undefined;
  /** 1 to 200, 50 unless given. */
  readonly limit?: number | undefined;
  /** `nextCursor` or `previousCursor` of a page of the same filter. */
  readonly cursor?: string | undefined;
}

export interface JobSearchPage extends SearchPage {
  /** If the page is not complete: a sentence with a term that would help. */
  readonly hint: string | null;
}

const MAX_LIMIT = 200;

/**
 * A page of the jobs that match a filter, newest first; of running ones alone, the longest due first. Cursors point to
 * a job, so new jobs shift nothing. A page reads a bounded number of jobs: if it has not found enough it says so
 * (`isComplete`), with a hint, and its cursor continues from there. Throws `invalid_filter`, `invalid_cursor`,
 * `invalid_option`.
 */
export async function searchJobs(db: Queryable, options: JobSearchOptions = {}): Promise<JobSearchPage> {
  const { limit = 50, cursor } = options;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new DueworkError('invalid_option', {
      option: 'limit',
      expected: `a whole number from 1 to ${MAX_LIMIT}`,
      value: limit,
    });
  const filter = readFilter(options.filter ?? '');
  const page = await findPage(db, planSearch(filter, 'page'), { limit, cursor });
  return { ...page, hint: page.isComplete ? null : suggestNarrower(filter) };
}
