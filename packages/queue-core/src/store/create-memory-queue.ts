import type { JobContract, PayloadInput } from '@duework/contracts';
import { systemClock, type WallClock } from '../clock.js';
import { jobRequest, type EnqueuedJob, type EnqueueOptions, type JobRequest } from '../enqueue.js';
import { DueworkError } from '../errors.js';
import type { JobQueue, WaitOptions } from '../job-queue.js';
import { makeNewRun } from '../make-new-run.js';
import { operateOn } from '../operate-on.js';
import { createMemoryStore } from './memory-store.js';
import { Admission, type WhenFull } from './memory/admission.js';
import { memoryRuns } from './memory/memory-runs.js';
import { MemoryTables } from './memory/memory-tables.js';
import { readQueueDepth } from './memory/read-queue-depth.js';
import { DueWatch } from './memory/watch-due.js';
import type { Store } from './store.js';

const DEFAULT_BOUND = 10_000;

export interface MemoryQueueOptions<TWhenFull extends WhenFull = WhenFull> {
  /** Live runs at the most (`queued`, `failed`, `running`); 10,000 unless given. */
  readonly capacity?: number;
  /**
   * What a request meets that finds the queue full. `'wait'` (unless given): its promise resolves when there was room, in
   * the order of the requests. `'refuse'`: `queue_full`. `'drop'`: null.
   */
  readonly whenFull?: TWhenFull;
  /** Runs that may wait for room; 10,000 unless given. One more is refused. */
  readonly maxWaiting?: number;
  /** Finished runs to remember; 10,000 unless given. The oldest is forgotten with its attempts, its effects and its key. */
  readonly keepFinished?: number;
  /** What time it is, for everything this queue decides. */
  readonly clock?: WallClock;
}

/**
 * The admission to a queue in this process, and the store for its workers. `TDropped` is null where a full queue drops, and what
 * it answers then; one that never drops is a `JobQueue`.
 */
export interface MemoryQueue<TDropped extends null = never> extends Omit<JobQueue, 'enqueue' | 'enqueueMany'> {
  readonly store: Store;
  /**
   * As `enqueue`, but into this process. Throws `queue_full` where it refuses. A handler that enqueues into the queue it
   * runs from passes its signal: with every slot waiting for room, nobody makes any.
   */
  enqueue<C extends JobContract>(
    contract: C,
    payload: PayloadInput<C>,
    options?: EnqueueOptions & WaitOptions,
  ): Promise<EnqueuedJob | TDropped>;
  /** All or none: a batch waits until there is room for the whole of it. More than the capacity is always refused. */
  enqueueMany(requests: readonly JobRequest[], options?: WaitOptions): Promise<EnqueuedJob[] | TDropped>;
  /** When the next run becomes due, of those that are not; null: none will. */
  nextRunAt(): Date | null;
  /** Runs it remembers, and runs that wait for room. */
  size(): { live: number; finished: number; waiting: number };
}

/**
 * A queue in this process, for tests and for work that need not survive: the same contracts, handlers, worker and verbs as
 * on PostgreSQL, bounded in all directions. What it holds is gone with the process.
 * Throws `invalid_option` for a bound that is not a whole number of at least 1 (0 where nothing may be kept or wait).
 */
export function createMemoryQueue<const TWhenFull extends WhenFull = 'wait'>(
  options: MemoryQueueOptions<TWhenFull> = {},
): MemoryQueue<'drop' extends TWhenFull ? null : never> {
  type TDropped = 'drop' extends TWhenFull ? null : never;
  const {
    capacity = DEFAULT_BOUND,
    whenFull = 'wait',
    maxWaiting = DEFAULT_BOUND,
    keepFinished = DEFAULT_BOUND,
    clock = systemClock,
  } = options;
  check('capacity', capacity, 1);
  check('maxWaiting', maxWaiting, 0);
  check('keepFinished', keepFinished, 0);
  const tables = new MemoryTables(clock, keepFinished);
  const admission = new Admission(tables, { capacity, whenFull, maxWaiting });
  const watch = new DueWatch(tables);
  tables.onRoom = () => admission.serve();
  tables.onWaiting = (runAtMs) => watch.expect(runAtMs);
  const enter = async (requests: readonly JobRequest[], { signal }: WaitOptions): Promise<EnqueuedJob[] | TDropped> =>
    // null comes from a admission that drops only
    (await admission.enter(requests.map(makeNewRun), signal)) as EnqueuedJob[] | TDropped;
  return {
    store: createMemoryStore(tables, watch),
    ...operateOn(memoryRuns(tables, admission, watch)),
    async enqueue(contract, payload, { signal, ...given } = {}) {
      const jobs = await enter([jobRequest(contract, payload, given)], signal === undefined ? {} : { signal });
      return jobs === null ? jobs : jobs[0]!;
    },
    enqueueMany: (requests, waiting = {}) => enter(requests, waiting),
    queueDepth: async () => readQueueDepth(tables),
    nextRunAt() {
      const runAtMs = tables.waiting.nextRunAtMs(tables.nowMs());
      return runAtMs === null ? null : new Date(runAtMs);
    },
    size: () => ({ live: tables.live.size, finished: tables.history.size, waiting: admission.waitingRuns }),
  };
}

function check(option: string, value: number, atLeast: number): void {
  if (!Number.isInteger(value) || value < atLeast)
    throw new DueworkError('invalid_option', { option, expected: `a whole number of at least ${atLeast}`, value });
}
