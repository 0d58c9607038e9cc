import type { JobFilter } from '@duework/filter';
import type { Principal } from './principal.js';

/** A filter that finds only jobs of the types that a principal is for. */
export function narrowFilter({ types }: Principal, filter: JobFilter): JobFilter {
  // guard: filter-of-principal
  if (types !== null) return { terms: [...filter.terms, { field: 'type', isNot: false, values: types }] };
  // guard end: filter-of-principal
  return filter;
}
