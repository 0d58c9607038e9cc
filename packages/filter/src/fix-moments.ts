import type { JobFilter } from './filter.js';

/** The filter with its moments counted back from `now`, so that it means the same whenever it is used. */
export function fixMoments({ terms }: JobFilter, now: Date): JobFilter {
  return {
    terms: terms.map((term) =>
      'moment' in term && 'agoMs' in term.moment
        ? { ...term, moment: { at: new Date(now.getTime() - term.moment.agoMs).toISOString() } }
        : term,
    ),
  };
}
