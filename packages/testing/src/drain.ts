import { systemClock } from '@duework/queue-core';
import { pause } from '@duework/queue-core/internals';
import type { FakeClock } from './create-fake-clock.js';
import { hasten } from './hasten.js';
import type { EventRecord } from './record-events.js';
import { tallyRuns, type RunTally } from './tally-runs.js';
import { toQueue, type LookedAt } from './to-queue.js';

/** How the attempts ended that a drain has seen, by result. */
export type DrainCounts = RunTally['counts'];

export interface DrainOptions {
  /** The record that the workers of this queue report to. */
  readonly events: EventRecord;
  /** The workers' clock, where it is a fake one. */
  readonly clock?: FakeClock;
  /** Also what is not due yet: the fake clock moves to the next `run_at`; on a database the run is made due instead. */
  readonly untilEmpty?: boolean;
  /** Real time; 10 s unless given. */
  readonly timeoutMs?: number;
}

/** How long nothing may be heard of a running handler before it is taken to wait for the fake clock. */
const QUIET_MS = 20;

/**
 * Lets started workers run everything that is due, until nothing is due any more and nothing runs. Returns how the
 * attempts ended meanwhile. Throws, with what is left, when that takes longer than `timeoutMs`.
 *
 * The fake clock moves while a handler runs only when nothing was heard of any for a while, so that one that really waits
 * for a network is not timed out.
 */
export async function drain(
  source: LookedAt,
  { events, clock, untilEmpty = false, timeoutMs = 10_000 }: DrainOptions,
): Promise<DrainCounts> {
  const queue = toQueue(source);
  const deadlineMs = systemClock.monotonicMs() + timeoutMs;
  const tally = tallyRuns(events);
  for (;;) {
    await nextEvent(events, clock === undefined ? 1 : 0);
    tally.count();
    if (tally.open === 0) {
      const depth = await queue.queueDepth();
      // what was claimed and has ended while the queue was asked is in no answer, but its claim has been heard of
      tally.count();
      if (tally.open > 0) continue;
      const sum = (column: 'due' | 'running' | 'scheduled' | 'retrying'): number =>
        depth.reduce((total, row) => total + row[column], 0);
      const isBusy = sum('due') + sum('running') > 0;
      if (!isBusy && (!untilEmpty || sum('scheduled') + sum('retrying') === 0)) return tally.counts;
      if (systemClock.monotonicMs() > deadlineMs) throw new Error(describe(timeoutMs, tally, depth));
      // due, and its worker sleeps; or on the lease of a worker that is gone
      if (isBusy) await clock?.advance(clock.nextTimerMs() ?? 0);
      else await hasten(source, clock);
    } else {
      if (systemClock.monotonicMs() > deadlineMs) throw new Error(describe(timeoutMs, tally, await queue.queueDepth()));
      if (clock !== undefined && !(await nextEvent(events, QUIET_MS))) await clock.advance(clock.nextTimerMs() ?? 0);
    }
  }
}

/** Whether there was one within `ms`. */
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
