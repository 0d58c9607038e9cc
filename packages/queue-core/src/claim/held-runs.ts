import type { HeldRun } from './held-run.js';
import { IdTable } from './id-table.js';

/** The most that one claim takes, unless others claim, too. */
export const MAX_CLAIM = 500;
/** A run is claimed ahead when a slot will be free for it within this time. */
const LOOKAHEAD_MS = 50;
/** How much one run counts in the moving average. */
const WEIGHT = 1 / 16;
/** How many started runs the list of waiting ones may still contain before it is shortened. */
const MAX_STARTED = 1_024;

/**
 * The runs a worker holds, and how many more it may take. `concurrency` handlers run at once, and a slot stays taken
 * until its handler has really ended. Beyond that runs are claimed ahead, up to `buffer` of them and only as many as
 * will start within 50 ms, judged by how long the last handlers took: a run that waits longer is better off with an
 * idle worker.
 */
export class HeldRuns {
  readonly #held = new IdTable<HeldRun>();
  readonly #buffered: HeldRun[] = [];
  /** Index at which the buffer begins; the runs before it have been started. */
  #first = 0;
  readonly #waiters = new Set<() => void>();
  #busySlots = 0;
  #averageMs = Infinity;
  /** Slots whose handlers run on although their attempts were given up: they ignored their signal. */
  stuckSlots = 0;
  /** Cancels the timer of `releaseStale`; null: no timer runs. */
  stopWatching: (() => void) | null = null;

  constructor(
    readonly concurrency: number,
    readonly buffer: number,
  ) {}

  /** Every run whose lease this worker holds: buffered, running, or waiting for its settlement to be written. */
  all(): HeldRun[] {
    return [...this.#held.values()];
  }

  /** The run of that claim; undefined: this worker does not hold it. */
  find(id: string, fence: number): HeldRun | undefined {
    const held = this.#held.get(id);
    return held?.run.fence === fence ? held : undefined;
  }

  get size(): number {
    return this.#held.size;
  }

  get busySlots(): number {
    return this.#busySlots;
  }

  get bufferedCount(): number {
    return this.#buffered.length - this.#first;
  }

  /**
   * How many runs to claim now, beside `onTheirWay` that other claims have asked for. 0 also while the buffer is more
   * than half full and has no room for a `whole` claim. Unwritten settlements count too, above a bound: a slow database
   * slows the claims.
   */
  room(onTheirWay = 0, whole = MAX_CLAIM): number {
    const ahead = this.#ahead();
    const waiting = this.bufferedCount + onTheirWay;
    if (waiting > Math.max(ahead / 2, ahead - whole)) return 0;
    const capacity = this.concurrency + ahead;
    return Math.max(0, Math.min(capacity - this.#busySlots - waiting, 2 * capacity - this.#held.size - onTheirWay));
  }

  #ahead(): number {
    return Math.min(this.buffer, Math.floor((this.concurrency * LOOKAHEAD_MS) / this.#averageMs));
  }

  /** When the run that has waited longest was claimed, on the process clock; Infinity: none waits. */
  oldestBufferedMs(): number {
    return this.#buffered[this.#first]?.claimedMs ?? Infinity;
  }

  /** Claims nothing ahead until a handler has ended. */
  expectSlowness(): void {
    this.#averageMs = Infinity;
  }

  /** Adds a run. Returns the earlier claim of the same run, if this worker held one: the new claim replaces it. */
  add(held: HeldRun): HeldRun | undefined {
    this.#buffered.push(held);
    return this.#held.set(held.run.id, held);
  }

  /** The next run to start, which takes a slot; null: no slot is free, or nothing waits. */
  startNext(): HeldRun | null {
    if (this.#busySlots >= this.concurrency) return null;
    const next = this.#buffered[this.#first];
    if (next === undefined) return null;
    // shortening an array moves all that remains, so it is done seldom; under a backlog the buffer is never empty
    this.#first++;
    if (this.#first === this.#buffered.length || this.#first === MAX_STARTED) this.#forgetStarted();
    this.#busySlots++;
    return next;
  }

  /** Takes all runs out of the buffer; they are still held. */
  takeBuffered(): HeldRun[] {
    this.#forgetStarted();
    return this.#buffered.splice(0);
  }

  /** Takes the runs out of the buffer that fit; they are still held. */
  takeBufferedThat(fits: (held: HeldRun) => boolean): HeldRun[] {
    this.#forgetStarted();
    const taken = this.#buffered.filter(fits);
    if (taken.length > 0) this.#buffered.push(...this.#buffered.splice(0).filter((held) => !fits(held)));
    return taken;
  }

  #forgetStarted(): void {
    this.#buffered.splice(0, this.#first);
    this.#first = 0;
  }

  /** Frees the slot of a handler that took `ranMs`. */
  freeSlot(ranMs: number): void {
    this.#averageMs = this.#averageMs === Infinity ? ranMs : this.#averageMs + (ranMs - this.#averageMs) * WEIGHT;
    this.#busySlots--;
    this.#wakeForRoom();
  }

  /** Removes a run that was settled, released or lost. */
  remove(held: HeldRun): void {
    this.#held.delete(held.run.id, held);
    this.#wakeForRoom();
  }

  /** Resolves at the next change that leaves room, or no run at all, and at `wake`. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiters.add(resolve));
  }

  #wakeForRoom(): void {
    if (this.#waiters.size > 0 && (this.#held.size === 0 || this.room() > 0)) this.wake();
  }

  wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }
}
