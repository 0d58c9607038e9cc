import type { JobFilter } from '@duework/filter';
import type { Principal } from './principal.js';

/** A filter that finds only jobs of the types that a principal is for. */
export function narrowFilter({ types }: Principal, filter: JobFilter): JobFilter {
  if (types !== null) return { terms: [...filter.terms, { field: 'type', isNot: false, values: types }] };
  return filter;
}
