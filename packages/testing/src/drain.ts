import { systemClock, type Queryable } from '@duework/queue-core';
import { pause } from '@duework/queue-core/internals';
import type { FakeClock } from './create-fake-clock.js';
import { addUpBatches } from './sql/add-up-batches.js';
import { hasten } from './hasten.js';
import type { EventRecord } from './record-events.js';
import { tallyRuns, type RunTally } from './tally-runs.js';
import { isQueue, toQueue, type LookedAt } from './to-queue.js';

/** How many attempts ended with each result since the drain before, or since the worker started. */
export type DrainCounts = RunTally['counts'];

export interface DrainOptions {
  /** The record that the workers of this queue report to. */
  readonly events: EventRecord;
  /** The workers' clock, where it is a fake one. */
  readonly clock?: FakeClock;
  /**
   * Also runs what is not due yet: the fake clock moves to the next `run_at`; on a database the run is made due
   * instead.
   */
  readonly untilEmpty?: boolean;
  /** Real time; default 10 s. */
  readonly timeoutMs?: number;
  /** The database of a queue; not given: the source is one, or the queue is in memory. */
  readonly db?: Queryable;
}

/** After so long without an event a running handler is taken to wait for the fake clock. */
const QUIET_MS = 20;

/**
 * Lets started workers run everything that is due, until nothing is due any more and nothing runs. Returns how the
 * attempts ended since the drain before, or since the worker started. Throws, with what is left, when that takes longer
 * than `timeoutMs`.
 *
 * While a handler runs, the fake clock moves only when no event has come for a while, so that a handler that really
 * waits for a network is not timed out.
 */
export async function drain(
  source: LookedAt,
  { events, clock, untilEmpty = false, timeoutMs = 10_000, db }: DrainOptions,
): Promise<DrainCounts> {
  const queue = toQueue(source);
  const deadlineMs = systemClock.monotonicMs() + timeoutMs;
  const tally = tallyRuns(events);
  for (;;) {
    await nextEvent(events, clock === undefined ? 1 : 0);
    tally.count();
    if (tally.open === 0) {
      // the jobs that wait for the end of a batch, which its worker may just be about to enqueue
      if (db !== undefined || !isQueue(source)) await addUpBatches(db ?? (source as Queryable));
      const depth = await queue.queueDepth();
      // a run that was claimed and ended during the query is in no answer, but its `job.claimed` was received
      tally.count();
      if (tally.open > 0) continue;
      const sum = (column: 'due' | 'running' | 'held' | 'scheduled' | 'retrying'): number =>
        depth.reduce((total, row) => total + row[column], 0);
      const isBusy = sum('due') + sum('running') + sum('held') > 0;
      if (!isBusy && (!untilEmpty || sum('scheduled') + sum('retrying') === 0)) return tally.counts;
      if (systemClock.monotonicMs() > deadlineMs) throw new Error(describe(timeoutMs, tally, depth));
      // a run is due and its worker sleeps, or it is on the lease of a dead worker
      if (isBusy) await clock?.advance(clock.nextTimerMs() ?? 0);
      else await hasten(source, clock, db);
    } else {
      if (systemClock.monotonicMs() > deadlineMs) throw new Error(describe(timeoutMs, tally, await queue.queueDepth()));
      if (clock !== undefined && !(await nextEvent(events, QUIET_MS))) await clock.advance(clock.nextTimerMs() ?? 0);
    }
  }
}

/** Whether an event came within `ms`. */
async function nextEvent(events: EventRecord, ms: number): Promise<boolean> {
  const { length } = events.all;
  if (ms === 0) await new Promise((resolve) => setImmediate(resolve));
  else await Promise.race([events.next(), pause(systemClock, ms)]);
  return events.all.length > length;
}

function describe(timeoutMs: number, { counts, openRuns }: RunTally, depth: readonly object[]): string {
  const running = openRuns().map(({ type, id, attempt }) => `${type} ${id} (attempt ${attempt})`);
  return [
    `The work did not end within ${timeoutMs} ms.`,
    `So far: ${JSON.stringify(counts)}.`,
    `Still running here: ${running.join(', ') || 'nothing'}.`,
    `In the queue: ${depth.map((row) => JSON.stringify(row)).join(' ') || 'nothing'}.`,
  ].join(' ');
}
