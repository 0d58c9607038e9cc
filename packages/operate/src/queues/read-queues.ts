import { openQueue, type Pause, type Queryable, type QueueDepth, readNow } from '@duework/queue-core';
import { toFigures } from '../figures/to-figures.js';
import type { Times } from '../figures/figures.js';
import { findFigures } from '../figures/sql/find-figures.js';
import { type Demand, demandOf } from './slots-needed.js';
import { findCounted } from './sql/find-counted.js';
import { findPaces } from './sql/find-paces.js';

/** One type in one queue as it is now; what began, ended and took how long is of the last five minutes. */
export interface QueueState extends QueueDepth, Demand {
  readonly claimed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly dead: number;
  readonly wait: Times;
  readonly run: Times;
  /** How many began in a second since what waits in the queue began to wait; null: none did lately. */
  readonly perSecond: number | null;
  /** None has failed since, as far as workers have written it: to the minute. null: none failed lately. */
  readonly lastFailedAt: Date | null;
  /** How many have succeeded since then. */
  readonly succeededSince: number;
  /** The pauses of its queue and of its type. */
  readonly pauses: readonly Pause[];
}

const LATELY_MS = 300_000;
/** One step for all of them. */
const ONE_STEP_SECONDS = 2 ** 30;

/**
 * Waiting and running jobs by queue and type, with counts of the last five minutes. Depths are counted up to 10,000 for
 * each queue and priority, for more than four of them up to 40,000 in all. An idle queue is left out, unless it is
 * paused: its type is then empty.
 */
export async function readQueues(db: Queryable): Promise<QueueState[]> {
  const queue = openQueue(db);
  const sinceMs = (await readNow(db)) - LATELY_MS;
  const depths = await queue.queueDepth();
  const pauses = await queue.listPauses();
  const paces = await findPaces(db);
  const counted = await findCounted(db);
  const lines = await findFigures(db, {
    queue: undefined,
    type: undefined,
    parts: [{ table: 'minutes', fromMs: sinceMs, beforeMs: null }],
    stepSeconds: ONE_STEP_SECONDS,
  });
  const places = new Map<string, { readonly queue: string; readonly type: string }>();
  const placeOf = ({ queue, type }: { readonly queue: string; readonly type: string }): string => `${queue} ${type}`;
  for (const { queue, type } of [...depths, ...lines]) places.set(placeOf({ queue, type }), { queue, type });
  for (const { kind, name } of pauses)
    if (kind === 'queue' && ![...places.values()].some((place) => place.queue === name))
      places.set(placeOf({ queue: name, type: '' }), { queue: name, type: '' });
  const depthOf = new Map(depths.map((depth) => [placeOf(depth), depth]));
  const lineOf = new Map(lines.map((line) => [placeOf(line), line]));
  const paceOf = new Map(paces.map((pace) => [placeOf(pace), pace]));
  return [...places]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, place]) => {
      const { claimed, succeeded, failed, dead, wait, run } = toFigures(lineOf.get(name) ?? NOTHING);
      const { perSecond = null, failedMs = null, succeededSince = 0 } = paceOf.get(name) ?? {};
      const depth = depthOf.get(name) ?? { ...place, ...EMPTY };
      return {
        ...depth,
        ...demandOf(counted, { ...place, due: depth.due, meanMs: run.meanMs }),
        claimed,
        succeeded,
        failed,
        dead,
        wait,
        run,
        perSecond,
        lastFailedAt: failedMs === null ? null : new Date(failedMs),
        succeededSince,
        pauses: pauses.filter((pause) => pause.name === place[pause.kind]),
      };
    });
}

const EMPTY = { due: 0, scheduled: 0, retrying: 0, running: 0, held: 0, oldestWaitingSeconds: 0, isAtLeast: false };
const NOTHING = {
  atMs: 0,
  queue: '',
  type: '',
  claimed: 0,
  succeeded: 0,
  failed: 0,
  dead: 0,
  cancelled: 0,
  snoozed: 0,
  waited: [],
  ran: [],
  waitedMs: 0,
  ranMs: 0,
  due: null,
  running: null,
  oldestSeconds: null,
  held: null,
};
