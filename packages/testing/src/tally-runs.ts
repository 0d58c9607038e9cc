import type { ClaimedRun, WorkerEvent } from '@duework/queue-core';
import type { EventRecord } from './record-events.js';

const RESULTS = {
  'job.succeeded': 'succeeded',
  'job.failed': 'failed',
  'job.dead': 'dead',
  'job.snoozed': 'snoozed',
  'job.cancelled': 'cancelled',
  'job.released': 'released',
  'job.left': 'left',
  'lease.lost': 'lost',
} as const;

type Result = (typeof RESULTS)[keyof typeof RESULTS];

export interface RunTally {
  /** Counts the events that are new. */
  count(): void;
  /** Attempts that ended since the last tally of the same events, or since their beginning. */
  readonly counts: Readonly<Record<Result, number>>;
  /** Claims that have not ended. */
  readonly open: number;
  openRuns(): ClaimedRun[];
}

/** How many events of a record the tallies before have counted. */
const countedBefore = new WeakMap<EventRecord, number>();

/**
 * Follows claims from their event to the one that ends them, whenever they began. What has ended since the tally before counts,
 * even if that was before this one was made: a worker may be quicker than the test that enqueues.
 */
export function tallyRuns(events: EventRecord): RunTally {
  const counts: Record<Result, number> = {
    succeeded: 0,
    failed: 0,
    dead: 0,
    snoozed: 0,
    cancelled: 0,
    released: 0,
    left: 0,
    lost: 0,
  };
  const open = new Map<string, ClaimedRun>();
  let seen = 0;
  const count = (until = events.all.length): WorkerEvent[] => {
    const fresh = events.all.slice(seen, until);
    seen = until;
    return fresh.filter((event) => {
      if (event.name === 'job.claimed') open.set(nameOf(event.run), event.run);
      // a lost lease can be reported twice: by the heartbeat, and then by the settlement
      return event.name in RESULTS && 'run' in event && open.delete(nameOf(event.run));
    });
  };
  count(countedBefore.get(events) ?? 0);
  return {
    count() {
      for (const event of count()) counts[RESULTS[event.name as keyof typeof RESULTS]]++;
      countedBefore.set(events, seen);
    },
    counts,
    get open() {
      return open.size;
    },
    openRuns: () => [...open.values()],
  };
}

function nameOf({ id, fence }: ClaimedRun): string {
  return `${id}/${fence}`;
}
