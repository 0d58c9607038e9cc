import type { WallClock } from '@duework/queue-core';
import { Heap, type Placed } from './memory/tables/heap.js';

/** Time that stands still until a test moves it. */
export interface FakeClock extends WallClock {
  /**
   * Moves time on by `ms` and fires the timers on the way in their order. After each timer, all work that needs no time
   * goes on: promises, `setImmediate`, the queue in memory. Work that waits for a network or a disk does not.
   */
  advance(ms: number): Promise<void>;
  /** Milliseconds until the next timer; null: there is none. */
  nextTimerMs(): number | null;
}

interface Timer extends Placed {
  readonly atMs: number;
  readonly number: number;
  readonly callback: () => void;
}

/** Turns of the event loop that a chain of claim, handler and settlement takes, with room for a handler's own. */
const TURNS = 4;

/** Makes a clock that begins at `startAt`; default: the start of 2026, in UTC. */
export function createFakeClock({ startAt = new Date('2026-01-01T00:00:00Z') }: { startAt?: Date } = {}): FakeClock {
  const timers = new Heap<Timer>((left, right) =>
    left.atMs === right.atMs ? left.number < right.number : left.atMs < right.atMs,
  );
  let elapsedMs = 0;
  let timerNumber = 0;
  let advancing: Promise<void> = Promise.resolve();

  async function advanceTo(targetMs: number): Promise<void> {
    await letGoOn();
    for (let next = timers.first(); next !== undefined && next.atMs <= targetMs; next = timers.first()) {
      timers.remove(next);
      elapsedMs = next.atMs;
      next.callback();
      await letGoOn();
    }
    elapsedMs = targetMs;
  }

  return {
    now: () => new Date(startAt.getTime() + elapsedMs),
    monotonicMs: () => elapsedMs,
    after(ms, callback) {
      const timer: Timer = { atMs: elapsedMs + Math.max(0, ms), number: timerNumber++, callback, place: -1 };
      timers.add(timer);
      return () => {
        if (timer.place >= 0) timers.remove(timer);
      };
    },
    // one at a time, so that two calls that overlap add up
    advance: (ms) => (advancing = advancing.then(() => advanceTo(elapsedMs + ms))),
    nextTimerMs() {
      const next = timers.first();
      return next === undefined ? null : next.atMs - elapsedMs;
    },
  };
}

async function letGoOn(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
}
