import type { JobFilter } from '@duework/filter';
import type { Queryable } from '@duework/queue-core';
import { searchListedJobs } from '@duework/queue-core/internals';
import { planSearch } from '../search/plan-search.js';
import { suggestNarrower } from '../search/suggest-narrower.js';
import type { FollowedPage } from './followed-page.js';

/** Jobs of a page that is followed. */
export const FOLLOWED_PAGE_SIZE = 50;

/** The first page of a filter, as the database has it now. */
export async function readFollowedPage(db: Queryable, filter: JobFilter): Promise<FollowedPage> {
  const { jobs, nextCursor, isComplete } = await searchListedJobs(db, planSearch(filter, 'page'), {
    limit: FOLLOWED_PAGE_SIZE,
  });
  return { jobs, nextCursor, isComplete, hint: isComplete ? null : suggestNarrower(filter) };
}
