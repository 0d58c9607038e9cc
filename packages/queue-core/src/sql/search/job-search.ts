import type { Sql } from '@duework/sql';

/** What is searched by itself, in the order of its ids; `failed`: of what is live, what has ever failed. */
export type SourceName = 'live' | 'failed' | 'dead' | 'cancelled' | 'late' | 'days_default' | 'days';

export interface SearchSource {
  readonly name: SourceName;
  /** Queries for ids out of an index, the likely rarest first; see duework.find_ids. */
  readonly candidates: readonly Sql[];
}

/** A moment in ISO 8601, or so many milliseconds ago. */
export type SearchMoment = { readonly at: string } | { readonly agoMs: number };

/** What runs, by itself: no index knows it, and it has an order of its own. */
export interface RunningSearch {
  readonly queues: readonly string[] | null;
}

/** Which runs to look for. All values of its SQL are texts. */
export interface JobSearch {
  /** Of row j, of the view `jobs`. */
  readonly condition: Sql;
  readonly sources: readonly SearchSource[];
  /** Not null: what runs is looked for, alone or (counts) beside the sources. */
  readonly running: RunningSearch | null;
  /** Nothing that ended before is looked for: the days before it are not opened. */
  readonly since: SearchMoment | null;
  /** Nothing that came to its status from then on is looked for. */
  readonly until: SearchMoment | null;
}
