import { FILTER_STATUSES, type FilterStatus, type JobFilter, type MomentTerm } from '@duework/filter';
import type { JobSearch, SearchSource, SourceName } from '@duework/queue-core/internals';
import { findCandidates } from './sql/find-candidates.js';
import { compileFilter } from './sql/compile-filter.js';

const LIVE: readonly FilterStatus[] = ['queued', 'running', 'failed'];
const SUCCEEDED: readonly SourceName[] = ['late', 'days_default', 'days'];

/**
 * Where to look for what fits a filter. A page of running runs alone has its own order; among others they are found
 * along the ids. A count takes running runs from where they stand whenever no other live run is asked for.
 */
export function planSearch(filter: JobFilter, purpose: 'page' | 'count'): JobSearch {
  const statuses = statusesOf(filter);
  const isRunningApart =
    statuses.includes('running') &&
    !statuses.includes('queued') &&
    !statuses.includes('failed') &&
    (purpose === 'count' || statuses.length === 1);
  const sources = isRunningApart ? sourcesOf(statuses.filter((status) => status !== 'running')) : sourcesOf(statuses);
  return {
    condition: compileFilter(filter),
    sources: sources.map((name): SearchSource => ({ name, candidates: findCandidates(name, filter) })),
    running: isRunningApart ? { queues: queuesOf(filter) } : null,
    since: momentOf(filter, 'since'),
    until: momentOf(filter, 'until'),
  };
}

/** Whether a page of a filter has the longest due first, and not the newest: only running runs fit it. */
export const isByDueTime = (filter: JobFilter): boolean => planSearch(filter, 'page').running !== null;

/**
 * The statuses that a filter lets through: what waits at a gate or in a step has not ended, and what holds one runs, or
 * is dead.
 */
export function statusesOf({ terms }: JobFilter): readonly FilterStatus[] {
  return FILTER_STATUSES.filter((status) =>
    terms.every((term) => {
      if (term.field === 'status') return term.values.includes(status) !== term.isNot;
      if (term.field === 'held') return term.isNot || status === 'queued' || status === 'failed';
      if (term.field === 'at') return term.isNot || LIVE.includes(status);
      return term.field !== 'gate' || term.isNot || (status !== 'succeeded' && status !== 'cancelled');
    }),
  );
}

function sourcesOf(statuses: readonly FilterStatus[]): SourceName[] {
  const live = statuses.filter((status) => LIVE.includes(status));
  return [
    ...(live.length === 0
      ? []
      : live.every((status) => status === 'failed')
        ? (['failed'] as const)
        : (['live'] as const)),
    ...(['dead', 'cancelled'] as const).filter((status) => statuses.includes(status)),
    ...(statuses.includes('succeeded') ? SUCCEEDED : []),
  ];
}

function queuesOf({ terms }: JobFilter): readonly string[] | null {
  const term = terms.find((one) => one.field === 'queue' && !one.isNot);
  return term?.field === 'queue' ? term.values : null;
}

function momentOf({ terms }: JobFilter, field: 'since' | 'until'): MomentTerm['moment'] | null {
  return terms.find((term): term is MomentTerm => term.field === field)?.moment ?? null;
}
