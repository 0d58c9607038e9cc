import { createHook } from 'node:async_hooks';
import type { Clock } from '../clock.js';
import { attemptsHere } from '../run/attempt.js';
import type { Segment } from './find-suspects.js';

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
