import { FILTER_STATUSES, formatFilter } from '@duework/filter';
import type { Schemas } from '../api/api-types.js';

export type SelectedJob = Pick<Schemas['Job'], 'id' | 'status'>;

/** What a term takes; more are selected by a filter. */
export const MAX_SELECTED = 100;

/**
 * The filter of jobs that were selected one by one. It names statuses, so that a bulk action takes all of them and refuses
 * what it is not for; a job may have come to another one since.
 */
export function filterOfJobs(jobs: readonly SelectedJob[]): string {
  const isAnyDone = jobs.some(({ status }) => status === 'succeeded');
  const values = FILTER_STATUSES.filter((status) => isAnyDone || status !== 'succeeded');
  return formatFilter({
    terms: [
      { field: 'status', isNot: false, values },
      { field: 'id', isNot: false, values: jobs.map(({ id }) => id) },
    ],
  });
}
