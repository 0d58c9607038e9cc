import type { Body } from '../ask-shard.js';
import { by, every, greatest, grouped, least, type Merge, some, sums, tagged, union } from './sums.js';

/** How many jobs fit, of all shards together. */
export const mergeCounts: Merge = (answers) => {
  const rows = answers.map(({ body }) => body);
  const { count } = sums(rows, ['count']) as { count: number };
  const atLeast = some(rows, 'atLeast');
  return { count, atLeast, text: count.toLocaleString('en-US') + (atLeast ? '+' : '') };
};

/** Counts are added up, the oldest is the oldest of all; a percentile is that of the slowest shard, because it cannot be added. */
export const mergeQueues: Merge = (answers) => ({
  queues: grouped(answers, 'queues', ['queue', 'type'])
    .map((rows): Body => {
      const [{ shard: _, ...first }] = rows as [Body];
      return {
        ...first,
        ...sums(rows, ['due', 'scheduled', 'held', 'retrying', 'running', 'claimed', 'succeeded', 'failed', 'dead']),
        oldestWaitingSeconds: greatest(rows, 'oldestWaitingSeconds'),
        isAtLeast: some(rows, 'isAtLeast'),
        wait: mergeTimes(rows, 'wait'),
        run: mergeTimes(rows, 'run'),
        pauses: rows.flatMap((row) =>
          (row['pauses'] as Body[]).map((one) => ({ ...one, shard: row['shard'] as string })),
        ),
      };
    })
    .sort(by('queue', 'type')),
});

/** As of queues; what was the most at one moment is added up, which is the most that all can have had together. */
export const mergeFigures: Merge = (answers) => ({
  figures: grouped(answers, 'figures', ['at', 'queue', 'type'])
    .map((rows): Body => {
      const [{ shard: _, ...first }] = rows as [Body];
      return {
        ...first,
        ...sums(rows, ['claimed', 'succeeded', 'failed', 'dead', 'cancelled', 'snoozed', 'due', 'running', 'held']),
        wait: mergeTimes(rows, 'wait'),
        run: mergeTimes(rows, 'run'),
        oldestWaitingSeconds: greatest(rows, 'oldestWaitingSeconds'),
      };
    })
    .sort(by('at', 'queue', 'type')),
});

function mergeTimes(rows: readonly Body[], field: string): Body {
  const times = rows.map((row) => row[field] as Body);
  const { count } = sums(times, ['count']) as { count: number };
  const total = times.reduce((sum, one) => sum + ((one['meanMs'] as number | null) ?? 0) * (one['count'] as number), 0);
  return {
    count,
    meanMs: count === 0 ? null : Math.round((total / count) * 10) / 10,
    p50Ms: greatest(times, 'p50Ms'),
    p95Ms: greatest(times, 'p95Ms'),
  };
}

const MAX_GROUPS = 100;
const MAX_WORKERS = 10;

/** Groups of one fingerprint are one; their steps are the same moments, however the clocks of the shards differ. */
export const mergeFailures: Merge = (answers) => {
  const lists = answers.map(({ body }) => body);
  const since = least(lists, 'since') as string;
  const stepSeconds = lists[0]!['stepSeconds'] as number;
  const stepOf = new Map(
    answers.map(({ shard, body }) => [
      shard,
      Math.round((Date.parse(body['since'] as string) - Date.parse(since)) / (stepSeconds * 1_000)),
    ]),
  );
  const steps = Math.max(...answers.map(({ shard, body }) => stepOf.get(shard)! + stepsOf(body, stepSeconds)));
  const groups = grouped(answers, 'groups', ['fingerprint', 'type']).map((rows): Body => {
    const [{ shard: _, ...first }] = [...rows].sort((one, other) => (one['lastAt'] < other['lastAt'] ? 1 : -1)) as [
      Body,
    ];
    const counts = Array.from({ length: steps }, () => 0);
    for (const row of rows)
      for (const [at, count] of (row['counts'] as number[]).entries()) counts[at + stepOf.get(row['shard'])!]! += count;
    return {
      ...first,
      ...sums(rows, ['dead', 'retrying']),
      counts,
      firstAt: least(rows, 'firstAt'),
      lastAt: greatest(rows, 'lastAt'),
      versions: union(rows, 'versions'),
      workers: union(rows, 'workers').slice(0, MAX_WORKERS),
    };
  });
  return {
    since,
    until: greatest(lists, 'until'),
    stepSeconds,
    groups: groups.sort((one, other) => other['dead'] - one['dead']).slice(0, MAX_GROUPS),
    isComplete: every(lists, 'isComplete') && groups.length <= MAX_GROUPS,
  };
};

const stepsOf = (body: Body, stepSeconds: number): number =>
  Math.round((Date.parse(body['until'] as string) - Date.parse(body['since'] as string)) / (stepSeconds * 1_000));

/** Those that belong to one shard, in the order of some fields. */
export const listTagged =
  (field: string, order: (one: Body, other: Body) => number, most = Infinity): Merge =>
  (answers) => ({ [field]: tagged(answers, field).sort(order).slice(0, most) });
