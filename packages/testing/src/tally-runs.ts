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
  /** Attempts that ended since the tally was made. */
  readonly counts: Readonly<Record<Result, number>>;
  /** Claims that have not ended. */
  readonly open: number;
  openRuns(): ClaimedRun[];
}

/** Follows claims from their event to the one that ends them, whenever they began. */
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
  const count = (): WorkerEvent[] => {
    const fresh = events.all.slice(seen);
    seen = events.all.length;
    return fresh.filter((event) => {
      if (event.name === 'job.claimed') open.set(nameOf(event.run), event.run);
      // a lost lease can be reported twice: by the heartbeat, and then by the settlement
      return event.name in RESULTS && 'run' in event && open.delete(nameOf(event.run));
    });
  };
  // skips what has ended before
  count();
  return {
    count() {
      for (const event of count()) counts[RESULTS[event.name as keyof typeof RESULTS]]++;
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
