import { DueworkError, type JobQueue, type Store, systemClock, type WallClock } from '@duework/queue-core';
import {
  type Capabilities,
  type EnqueuedJob,
  type JoinedBatch,
  type NewRun,
  type NewSignal,
  queueOver,
} from '@duework/queue-core/ports';
import { Admission, type WhenFull } from './admission.js';
import { insertBatch } from './insert-batch.js';
import { memoryOperator } from './operate/memory-operator.js';
import { createMemoryStore, MEMORY_CAPABILITIES } from './memory-store.js';
import { MemoryTables } from './tables/memory-tables.js';
import { refusePublish } from './work/refuse-publish.js';
import { sendSignal } from './work/send-signal.js';
import { DueWatch } from './tables/watch-due.js';

const DEFAULT_BOUND = 10_000;

export interface MemoryQueueOptions<TWhenFull extends WhenFull = WhenFull> {
  /** The most live runs (`queued`, `failed`, `running`); default 10,000. */
  readonly capacity?: number;
  /**
   * If the queue is full, a request: `'wait'` (default) waits for room, in the order of the requests; `'refuse'` throws
   * `queue_full`; `'drop'` is dropped, and returns null.
   */
  readonly whenFull?: TWhenFull;
  /** The most runs that may wait for room; default 10,000. One more is refused. */
  readonly maxWaiting?: number;
  /**
   * The most finished runs to keep; default 10,000. The oldest is forgotten with its attempts, its effects and its key.
   */
  readonly keepFinished?: number;
  /** The clock by which this queue decides everything. */
  readonly clock?: WallClock;
  /** Capabilities to declare missing: the queue refuses calls that need them. */
  readonly capabilities?: Partial<Capabilities>;
}

/**
 * A queue in this process, and the store for its workers. `TDropped` is `null`, which `enqueue` returns if a full queue
 * drops runs; a queue that never drops is a `JobQueue`.
 *
 * `enqueue` throws `queue_full` if it refuses. A batch waits for room for all of it; one larger than the capacity is
 * always refused. A handler that enqueues into its own queue must pass its signal: if all slots wait for room, no run
 * ends to make any.
 */
export interface MemoryQueue<TDropped extends null = never> extends JobQueue<TDropped> {
  readonly store: Store;
  /** When the next run that is not due yet becomes due, or may find room at a gate; null: there is none. */
  nextRunAt(): Date | null;
  /** How many runs it keeps, and how many wait for room. */
  size(): { live: number; finished: number; waiting: number };
}

/**
 * A queue in this process, for tests and for work that need not survive: the same contracts, handlers, worker and verbs
 * as on PostgreSQL, with bounds. Its jobs are lost with the process. Throws `invalid_option` for a bound that is not a
 * whole number of at least 1 (0 for none kept or waiting).
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
  const capabilities = { ...MEMORY_CAPABILITIES, ...options.capabilities };
  const tables = new MemoryTables(clock, keepFinished);
  const admission = new Admission(tables, { capacity, whenFull, maxWaiting });
  const watch = new DueWatch(tables);
  tables.onRoom = () => admission.serve();
  tables.onWaiting = (runAtMs) => watch.expect(runAtMs);
  const store = {
    // only an admission that drops returns null
    insert: async (runs: readonly NewRun[], signal: AbortSignal | undefined) =>
      (await admission.enter(runs, signal)) as EnqueuedJob[] | TDropped,
    insertBatch: async (batch: JoinedBatch, runs: readonly NewRun[], signal: AbortSignal | undefined) =>
      (await insertBatch(tables, admission, batch, runs, signal)) as EnqueuedJob[] | TDropped,
    sendSignal: async (signal: NewSignal) => sendSignal(tables, signal),
    publish: refusePublish,
    ...memoryOperator(tables, admission, watch),
    capabilities,
    kind: 'memory',
  };
  const queue = queueOver<TDropped>(store, clock);
  return {
    store: createMemoryStore(tables, watch, capabilities),
    ...queue,
    nextRunAt() {
      const nowMs = tables.nowMs();
      const runAtMs = tables.waiting.nextRunAtMs(nowMs) ?? Infinity;
      const nextMs = Math.min(runAtMs, tables.gates.nextLookMs(nowMs) ?? Infinity);
      return nextMs === Infinity ? null : new Date(nextMs);
    },
    size: () => ({ live: tables.live.size, finished: tables.history.size, waiting: admission.waitingRuns }),
  };
}

function check(option: string, value: number, atLeast: number): void {
  if (!Number.isInteger(value) || value < atLeast)
    throw new DueworkError('invalid_option', { option, expected: `a whole number of at least ${atLeast}`, value });
}
