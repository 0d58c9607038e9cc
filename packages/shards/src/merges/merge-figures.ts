import { answersOf, by, greatest, grouped, least, type Moment, type Part, pick, sums, tagged, union } from './parts.js';

interface Times {
  readonly count: number;
  readonly meanMs: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

interface Queue {
  readonly queue: string;
  readonly type: string;
  readonly due: number;
  readonly scheduled: number;
  readonly held: number;
  readonly retrying: number;
  readonly running: number;
  readonly claimed: number | null;
  readonly succeeded: number | null;
  readonly failed: number | null;
  readonly dead: number | null;
  readonly oldestWaitingSeconds: number;
  readonly isAtLeast: boolean;
  readonly wait: Times | null;
  readonly run: Times | null;
  readonly perSecond: number | null;
  readonly arrivalsPerSecond: number | null;
  readonly slotsNeeded: number | null;
  readonly lastFailedAt: Moment | null;
  readonly succeededSince: number | null;
  readonly pauses: readonly object[];
}

/** Counts are added up, the oldest is the oldest of all; a percentile is that of the slowest shard, because it cannot be added. */
export function mergeQueues(parts: readonly Part<{ readonly queues: readonly Queue[] }>[]): { queues: Queue[] } {
  const queues = grouped(tagged(pick(parts, 'queues')), 'queue', 'type').map((rows): Queue => {
    const { shard: _, ...first } = rows[0];
    return {
      ...first,
      ...sums(rows, 'due', 'scheduled', 'held', 'retrying', 'running', 'claimed', 'succeeded', 'failed', 'dead'),
      ...sums(rows, 'perSecond', 'arrivalsPerSecond', 'slotsNeeded'),
      ...sinceFailure(rows),
      oldestWaitingSeconds: greatest(rows, 'oldestWaitingSeconds'),
      isAtLeast: rows.some(({ isAtLeast }) => isAtLeast),
      wait: mergeTimes(rows.map(({ wait }) => wait)),
      run: mergeTimes(rows.map(({ run }) => run)),
      pauses: rows.flatMap(({ shard, pauses }) => pauses.map((one) => ({ ...one, shard }))),
    };
  });
  return { queues: queues.sort(by('queue', 'type')) };
}

/** The last failure of all shards, and what the shard that had it has seen succeed since. */
function sinceFailure(rows: readonly Queue[]): Pick<Queue, 'lastFailedAt' | 'succeededSince'> {
  const lastFailedAt = greatest(rows, 'lastFailedAt');
  const last = rows.find((row) => row.lastFailedAt === lastFailedAt)!;
  return { lastFailedAt, succeededSince: last.succeededSince };
}

interface Figures {
  readonly at: Moment;
  readonly queue: string;
  readonly type: string;
  readonly claimed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly dead: number;
  readonly cancelled: number;
  readonly snoozed: number;
  readonly due: number | null;
  readonly running: number | null;
  readonly held: number | null;
  readonly oldestWaitingSeconds: number | null;
  readonly wait: Times;
  readonly run: Times;
}

/** As of queues; what was the most at one moment is added up, which is the most that all can have had together. */
export function mergeFigures(parts: readonly Part<{ readonly figures: readonly Figures[] }>[]): { figures: Figures[] } {
  const figures = grouped(tagged(pick(parts, 'figures')), 'at', 'queue', 'type').map((rows): Figures => {
    const { shard: _, ...first } = rows[0];
    return {
      ...first,
      ...sums(rows, 'claimed', 'succeeded', 'failed', 'dead', 'cancelled', 'snoozed', 'due', 'running', 'held'),
      wait: mergeTimes(rows.map(({ wait }) => wait)),
      run: mergeTimes(rows.map(({ run }) => run)),
      oldestWaitingSeconds: greatest(rows, 'oldestWaitingSeconds'),
    };
  });
  return { figures: figures.sort(by('at', 'queue', 'type')) };
}

function mergeTimes(given: readonly (Times | null)[]): Times {
  const times = given.flatMap((one) => one ?? []);
  const { count } = sums(times, 'count');
  const total = times.reduce((sum, one) => sum + (one.meanMs ?? 0) * one.count, 0);
  return {
    count,
    meanMs: count === 0 ? null : Math.round((total / count) * 10) / 10,
    p50Ms: greatest(times, 'p50Ms'),
    p95Ms: greatest(times, 'p95Ms'),
  };
}

const MAX_GROUPS = 100;
const MAX_WORKERS = 10;
const MAX_PLACES = 3;

interface FailureGroup {
  readonly fingerprint: string;
  readonly type: string;
  readonly dead: number;
  readonly retrying: number;
  readonly counts: readonly number[];
  readonly firstAt: Moment;
  readonly lastAt: Moment;
  readonly isOlder: boolean;
  readonly beganWith: object | null;
  readonly places: readonly string[];
  readonly newestJob: string;
  readonly versions: readonly number[];
  readonly workers: readonly string[];
}

interface Failures<G> {
  readonly since: Moment;
  readonly until: Moment;
  readonly stepSeconds: number;
  readonly groups: readonly G[];
  readonly isComplete: boolean;
}

/** Groups of one fingerprint are one; their steps are the same moments, however the clocks of the shards differ. */
export function mergeFailures<G extends FailureGroup>(parts: readonly Part<Failures<G>>[]): Failures<G> {
  const lists = answersOf(parts);
  const since = least(lists, 'since');
  const { stepSeconds } = lists[0]!;
  const stepsBetween = (from: Moment, to: Moment): number =>
    Math.round((Number(new Date(to)) - Number(new Date(from))) / (stepSeconds * 1_000));
  const stepOf = new Map(parts.map(({ shard, answer }) => [shard, stepsBetween(since, answer.since)]));
  const steps = Math.max(
    ...parts.map(({ shard, answer }) => stepOf.get(shard)! + stepsBetween(answer.since, answer.until)),
  );
  const groups = grouped(tagged(pick(parts, 'groups')), 'fingerprint', 'type').map((rows): G => {
    const [{ shard: _, ...first }] = [...rows].sort((one, other) =>
      one.lastAt < other.lastAt ? 1 : -1,
    ) as typeof rows;
    const counts = Array.from({ length: steps }, () => 0);
    for (const row of rows)
      for (const [at, count] of row.counts.entries()) counts[at + stepOf.get(row.shard)!]! += count;
    return {
      ...first,
      ...sums(rows, 'dead', 'retrying'),
      counts,
      firstAt: least(rows, 'firstAt'),
      lastAt: greatest(rows, 'lastAt'),
      isOlder: rows.some(({ isOlder }) => isOlder),
      beganWith: [...rows].sort(by('firstAt'))[0]!.beganWith,
      places: union(rows.map(({ places }) => places)).slice(0, MAX_PLACES),
      versions: union(rows.map(({ versions }) => versions)),
      workers: union(rows.map(({ workers }) => workers)).slice(0, MAX_WORKERS),
    } as FailureGroup as G;
  });
  return {
    since,
    until: greatest(lists, 'until'),
    stepSeconds,
    groups: groups.sort((one, other) => other.dead - one.dead).slice(0, MAX_GROUPS),
    isComplete: lists.every(({ isComplete }) => isComplete) && groups.length <= MAX_GROUPS,
  };
}
