import { answersOf, by, greatest, least, type Moment, type Part, pick, sums, tagged } from './parts.js';

/** In which order the rows of all shards stand, of lists that are not merged row by row. */
export const ORDERS = {
  workers: by('name', 'shard'),
  pauses: by('kind', 'name', 'shard'),
  unserved: (one: Unserved, other: Unserved): number => other.oldestWaitingSeconds - one.oldestWaitingSeconds,
  rules: by('name', 'shard'),
  keys: by('createdAt', 'id'),
  alerts: by('severity', 'key', 'shard'),
  silences: by('key', 'shard'),
} as const;

interface Unserved {
  readonly oldestWaitingSeconds: number;
}

type OfShard<T> = T & { readonly shard: string };

interface AlertList<A, S> {
  readonly alerts: readonly A[];
  readonly silences: readonly S[];
}

/** What is on in all shards; a silence of each. */
export const mergeAlerts = <
  A extends { readonly severity: string; readonly key: string },
  S extends { readonly key: string },
>(
  parts: readonly Part<AlertList<A, S>>[],
): AlertList<OfShard<A>, OfShard<S>> => ({
  alerts: tagged(pick(parts, 'alerts')).sort(ORDERS.alerts),
  silences: tagged(pick(parts, 'silences')).sort(ORDERS.silences),
});

interface Report<F, R, S> {
  readonly findings: readonly F[];
  readonly replication: readonly R[];
  readonly sizes: readonly S[];
  readonly checks: readonly string[];
}

/** What the doctor finds in each shard. */
export const mergeReports = <F extends { readonly severity: string }, R extends object, S extends object>(
  parts: readonly Part<Report<F, R, S>>[],
): Report<OfShard<F>, OfShard<R>, OfShard<S>> => ({
  findings: tagged(pick(parts, 'findings')).sort(by('severity')),
  replication: tagged(pick(parts, 'replication')),
  sizes: tagged(pick(parts, 'sizes')),
  checks: [...new Set(answersOf(parts).flatMap(({ checks }) => checks))],
});

interface Facts {
  readonly since: Moment;
  readonly until: Moment;
  readonly jobs: number;
  readonly done: number;
  readonly doing: number;
  readonly unknown: number;
  readonly repeated: number;
  readonly undone: number;
  readonly unrecorded: number;
  readonly doubts: readonly object[];
  readonly unrecordedJobs: readonly object[];
}

/** What is recorded in all shards of what jobs of a type did. */
export const mergeEffectFacts = <F extends Facts>(parts: readonly Part<F>[]): F => {
  const all = answersOf(parts) as [F, ...F[]];
  return {
    ...all[0],
    ...sums<FactCount, Facts>(all, 'jobs', 'done', 'doing', 'unknown', 'repeated', 'undone', 'unrecorded'),
    since: least(all, 'since'),
    until: greatest(all, 'until'),
    doubts: all.flatMap(({ doubts }) => doubts),
    unrecordedJobs: all.flatMap(({ unrecordedJobs }) => unrecordedJobs),
  };
};

type FactCount = 'jobs' | 'done' | 'doing' | 'unknown' | 'repeated' | 'undone' | 'unrecorded';
