import { soon, type Clock } from '../clock.js';
import type { HeldRun } from './held-run.js';

/**
 * Starts the timers of attempts, for those that outlive the turn of the event loop in which they began: before it ends no timer
 * could ring, most quick handlers are over by then, and a timer for each of them is a tenth of what a worker does for a run.
 */
export class TimeLimits {
  #begun: HeldRun[] = [];

  constructor(private readonly clock: Clock) {}

  /** Calls `start` when the event loop has turned, unless it was forgotten by then. */
  begin(held: HeldRun, start: () => void): void {
    held.startTimer = start;
    // the runs and not their timers: what has ended meanwhile must not be kept by this list
    if (this.#begun.push(held) === 1) soon(this.clock, () => this.#startAll());
  }

  /** The attempt has ended. */
  forget(held: HeldRun): void {
    held.startTimer = null;
  }

  #startAll(): void {
    const begun = this.#begun;
    this.#begun = [];
    for (const held of begun) {
      held.startTimer?.();
      held.startTimer = null;
    }
  }
}
