import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import type { Clock } from '../clock.js';
import type { ClaimedRun } from '../ports/runs.js';
import type { Segment } from './find-suspects.js';

/**
 * Measures how long each callback of a handler keeps the event loop busy. That takes a hook around every callback and
 * promise of the process, so it is switched on for a while only, and knows only the handlers that began since.
 */
export class CallbackMeter {
  readonly #runOf = new AsyncLocalStorage<ClaimedRun>();
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
    this.#runOf.disable();
    this.#open.length = 0;
  }

  /** Calls a handler so that its callbacks are attributed to its run. */
  call<T, R>(run: ClaimedRun, handler: (argument: T) => R, argument: T): R {
    return this.#isOn ? this.#runOf.run(run, handler, argument) : handler(argument);
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
    const run = this.#runOf.getStore();
    if (run !== undefined) this.onSegment({ run, ms });
  }
}
