import { formatFilter, type JobFilter } from '@duework/filter';
import { DueworkError, type Queryable } from '@duework/queue-core';
import { countJobs as count, type JobCount } from './sql/count-jobs.js';
import { countWaiting } from './sql/count-waiting.js';
import { planSearch } from './plan-search.js';
import { readFilter } from './read-filter.js';
import { suggestNarrower } from './suggest-narrower.js';

/**
 * Counts the jobs that match a filter: exact up to 10,000, then "at least" that many; for running jobs earlier, if tens
 * of thousands of older ones are due. Throws `invalid_filter`, and `filter_too_broad`, with a term that would help, if
 * too many jobs would have to be read.
 */
export async function countJobs(db: Queryable, filter: JobFilter | string = ''): Promise<JobCount> {
  const asked = readFilter(filter);
  const found = (await countWaiting(db, asked)) ?? (await count(db, planSearch(asked, 'count')));
  if (found === null)
    throw new DueworkError('filter_too_broad', { filter: formatFilter(asked), hint: suggestNarrower(asked) });
  return found;
}
