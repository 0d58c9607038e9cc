import { soon, type Clock } from '../clock.js';
import type { HeldRun } from '../claim/held-run.js';

/**
 * Starts timers only for attempts that outlive the turn of the event loop in which they began: no timer can fire before
 * that turn ends, most quick handlers are over by then, and a timer for each would be a tenth of what a worker does for
 * a run.
 */
export class TimeLimits {
  #begun: HeldRun[] = [];

  constructor(private readonly clock: Clock) {}

  /** Calls `start` when the event loop has turned, unless `forget` was called by then. */
  begin(held: HeldRun, start: () => void): void {
    held.startTimer = start;
    // keeps the runs, not their `start` functions: this list must not keep what an ended attempt refers to
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
