import type { HeldRun } from './held-run.js';
import { IdTable } from './id-table.js';

/** The most that one claim takes. */
export const MAX_CLAIM = 500;
/** A run is claimed ahead when a slot will be free for it within this. */
const LOOKAHEAD_MS = 50;
/** How much one run counts in the average. */
const WEIGHT = 1 / 16;
/** So many that were started may still be in the list of those that wait. */
const MAX_STARTED = 1_024;

/**
 * The runs a worker holds, and how many more it may take. `concurrency` handlers run at once, and a slot stays taken until its
 * handler has really ended. Beyond that runs are claimed ahead, up to `buffer` of them and only as many as will start
 * within 50 ms, judged by how long the last handlers took: a run that waits longer is better off with an idle worker.
 */
export class HeldRuns {
  readonly #held = new IdTable<HeldRun>();
  readonly #buffered: HeldRun[] = [];
  /** Where the buffer begins; what is before it has been started. */
  #first = 0;
  readonly #waiters = new Set<() => void>();
  #busySlots = 0;
  #averageMs = Infinity;
  /** Slots whose handlers run on although their attempts were given up: they ignored their signal. */
  stuckSlots = 0;
  /** Ends the look after what waits; null: nobody is to look. */
  stopWatching: (() => void) | null = null;

  constructor(
    readonly concurrency: number,
    readonly buffer: number,
  ) {}

  /** Every run whose lease is ours: buffered, running, or waiting for its settlement to be written. */
  all(): HeldRun[] {
    return [...this.#held.values()];
  }

  /** That claim of a run, while it is held. */
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
   * How many runs to claim now, while claims of `onTheirWay` are; 0 also while enough of them wait: more than half, and too many for a
   * whole claim to fit. Unwritten settlements count from a bound on: a slow database slows the claims.
   */
  room(onTheirWay = 0): number {
    const ahead = this.#ahead();
    const waiting = this.bufferedCount + onTheirWay;
    if (waiting > Math.max(ahead / 2, ahead - MAX_CLAIM)) return 0;
    const capacity = this.concurrency + ahead;
    return Math.max(0, Math.min(capacity - this.#busySlots - waiting, 2 * capacity - this.#held.size - onTheirWay));
  }

  #ahead(): number {
    return Math.min(this.buffer, Math.floor((this.concurrency * LOOKAHEAD_MS) / this.#averageMs));
  }

  /** When the run was claimed that has waited here the longest; Infinity: none waits. */
  oldestBufferedMs(): number {
    return this.#buffered[this.#first]?.claimedMs ?? Infinity;
  }

  /** Nothing is claimed ahead until a handler has ended. */
  expectSlowness(): void {
    this.#averageMs = Infinity;
  }

  /** Returns the earlier claim of that run, where one is held: this one takes its place. */
  add(held: HeldRun): HeldRun | undefined {
    this.#buffered.push(held);
    return this.#held.set(held.run.id, held);
  }

  /** The next run to start, which takes a slot; null: no slot is free, or nothing waits. */
  startNext(): HeldRun | null {
    if (this.#busySlots >= this.concurrency) return null;
    const next = this.#buffered[this.#first];
    if (next === undefined) return null;
    // an array that is shifted moves all the rest, so that is done seldom; where there is always more it is never empty
    this.#first++;
    // guard: forget-started
    if (this.#first === this.#buffered.length || this.#first === MAX_STARTED) this.#forgetStarted();
    // guard end: forget-started
    this.#busySlots++;
    return next;
  }

  /** Takes everything out of the buffer; it is still held. */
  takeBuffered(): HeldRun[] {
    this.#forgetStarted();
    return this.#buffered.splice(0);
  }

  #forgetStarted(): void {
    this.#buffered.splice(0, this.#first);
    this.#first = 0;
  }

  /** Its handler took `ranMs`. */
  freeSlot(ranMs: number): void {
    this.#averageMs = this.#averageMs === Infinity ? ranMs : this.#averageMs + (ranMs - this.#averageMs) * WEIGHT;
    this.#busySlots--;
    this.#wakeForRoom();
  }

  /** Settled, released or lost: no longer ours. */
  remove(held: HeldRun): void {
    this.#held.delete(held.run.id, held);
    this.#wakeForRoom();
  }

  /** Resolves at the next change that leaves room or nothing at all, or `wake`. */
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
