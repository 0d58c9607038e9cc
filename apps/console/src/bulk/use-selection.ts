import { useState } from 'react';
import { filterOfJobs, MAX_SELECTED, type SelectedJob } from './filter-of-jobs.js';

export interface Selection {
  /** Every job that fits the filter of the page, those of other pages among them. */
  readonly isAll: boolean;
  readonly jobs: ReadonlyMap<string, SelectedJob>;
  /** Of what is selected. */
  readonly filter: string;
  readonly isFull: boolean;
  has(id: string): boolean;
  toggle(job: SelectedJob): void;
  /** Selects all of these, or none where all of them are selected. */
  togglePage(jobs: readonly SelectedJob[]): void;
  selectAll(): void;
  clear(): void;
}

const NONE: ReadonlyMap<string, SelectedJob> = new Map();

/** The jobs that were selected on pages of a filter: another filter begins anew, another page goes on. */
export function useSelection(filter: string): Selection {
  const [held, hold] = useState({ filter, isAll: false, jobs: NONE });
  const isOther = held.filter !== filter;
  const { isAll, jobs } = isOther ? { isAll: false, jobs: NONE } : held;
  if (isOther) hold({ filter, isAll, jobs });
  const choose = (next: ReadonlyMap<string, SelectedJob>): void => hold({ filter, isAll: false, jobs: next });
  return {
    isAll,
    jobs,
    filter: isAll ? filter : filterOfJobs([...jobs.values()]),
    isFull: jobs.size >= MAX_SELECTED,
    has: (id) => isAll || jobs.has(id),
    toggle(job) {
      const next = new Map(jobs);
      if (!next.delete(job.id) && next.size < MAX_SELECTED) next.set(job.id, job);
      choose(next);
    },
    togglePage(page) {
      if (isAll || page.every(({ id }) => jobs.has(id))) return choose(NONE);
      choose(new Map([...jobs, ...page.map((job) => [job.id, job] as const)].slice(0, MAX_SELECTED)));
    },
    selectAll: () => hold({ filter, isAll: true, jobs: NONE }),
    clear: () => choose(NONE),
  };
}
