import { createHook } from 'node:async_hooks';
import type { ClaimedRun } from '../ports/runs.js';
import type { Clock } from '../clock.js';
import { attemptsHere } from '../run/attempt.js';

/** A time in which the event loop did not turn, on the monotonic clock. */
interface Block {
  readonly fromMs: number;
  readonly toMs: number;
  readonly blockedMs: number;
  /** The process used a processor for at least half of that time; else it waited, or the machine had no time for it. */
  readonly isComputing: boolean;
}

/** The time from the start of a handler to its end. */
export interface RunningTime {
  readonly run: ClaimedRun;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** A part of a handler that ran without a pause. */
export interface Segment {
  readonly run: ClaimedRun;
  readonly ms: number;
}

interface Suspects {
  /** The most suspect first; empty: no handler was running. */
  readonly suspects: readonly { readonly run: ClaimedRun }[];
  /** The first suspect certainly blocked the event loop. */
  readonly isCertain: boolean;
}

const MAX_SUSPECTS = 5;

/**
 * Finds the runs that may have blocked the event loop. The first is certain when a measured segment takes up at least
 * half of the block, or when only one handler was running for that long while the process was computing.
 */
export function findSuspects(block: Block, handlers: readonly RunningTime[], segments: readonly Segment[]): Suspects {
  const half = block.blockedMs / 2;
  const longest = segments.toSorted((a, b) => b.ms - a.ms)[0];
  if (longest !== undefined && longest.ms >= half) return { suspects: [{ run: longest.run }], isCertain: true };
  const present = handlers
    .map((handler) => ({ run: handler.run, ms: overlapMs(handler, block) }))
    .toSorted((a, b) => b.ms - a.ms);
  const longPresent = present.filter(({ ms }) => ms >= half);
  // when no handler ran for half of the block, several share in it
  const suspects = (longPresent.length > 0 ? longPresent : present.filter(({ ms }) => ms > 0))
    .slice(0, MAX_SUSPECTS)
    .map(({ run }) => ({ run }));
  return { suspects, isCertain: longPresent.length === 1 && block.isComputing };
}

function overlapMs({ startedMs, endedMs }: RunningTime, { fromMs, toMs }: Block): number {
  return Math.min(endedMs, toMs) - Math.max(startedMs, fromMs);
}

/**
 * Measures how long each callback of a handler keeps the event loop busy. That takes a hook around every callback and
 * promise of the process, so it is switched on for a while only.
 */
export class CallbackMeter {
  readonly #hook = createHook({ before: (asyncId) => this.#before(asyncId), after: (asyncId) => this.#after(asyncId) });
  /** A stack, because a callback may run another one inside itself. */
  readonly #open: { readonly asyncId: number; readonly startedMs: number }[] = [];
  #isOn = false;
  #stopTimer = (): void => {};

  /** Reports segments of at least `minMs`. */
  constructor(
    private readonly clock: Clock,
    private readonly minMs: number,
    private readonly onSegment: (segment: Segment) => void,
  ) {}

  /** Measures for `ms` from now on. */
  startFor(ms: number): void {
    this.#stopTimer();
    this.#stopTimer = this.clock.after(ms, () => this.stop());
    if (this.#isOn) return;
    this.#isOn = true;
    this.#hook.enable();
  }

  stop(): void {
    this.#stopTimer();
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#hook.disable();
    this.#open.length = 0;
  }

  #before(asyncId: number): void {
    this.#open.push({ asyncId, startedMs: this.clock.monotonicMs() });
  }

  #after(asyncId: number): void {
    // a callback that threw may have left its entry behind
    let entry = this.#open.pop();
    while (entry !== undefined && entry.asyncId !== asyncId) entry = this.#open.pop();
    if (entry === undefined) return;
    const ms = this.clock.monotonicMs() - entry.startedMs;
    if (ms < this.minMs) return;
    const [attempt] = attemptsHere();
    if (attempt !== undefined) this.onSegment({ run: attempt.run, ms });
  }
}
