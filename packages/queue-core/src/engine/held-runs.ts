import type { JobContract } from '@duework/contracts';
import type { ClaimedRun } from '../store/store.js';
import type { StopReason } from './stop-reason.js';

/** A run this worker holds the lease of, from its claim until its settlement is written. */
export interface HeldRun {
  readonly run: ClaimedRun;
  readonly contract: JobContract;
  readonly controller: AbortController;
  /** When the lease was last granted, on the process clock, taken before the statement was sent: never too late. */
  grantedMs: number;
  /** Its settlement is on its way: that its row is gone means nothing any more. */
  isSettling: boolean;
  /** The handler has completed it inside a transaction of its own, which may or may not have been committed. */
  isCompletedIn: boolean;
}

/**
 * The runs a worker holds, and how many more it may take. `concurrency` handlers run at once, up to `buffer` more wait
 * here already claimed, and a slot stays taken until its handler has really ended.
 */
export class HeldRuns {
  readonly #held = new Map<string, HeldRun>();
  readonly #buffered: HeldRun[] = [];
  readonly #waiters = new Set<() => void>();
  #busySlots = 0;

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
    return this.#buffered.length;
  }

  /** How many more runs may be claimed. Unwritten settlements count from a bound on: a slow database slows the claims. */
  room(): number {
    const capacity = this.concurrency + this.buffer;
    return Math.max(0, Math.min(capacity - this.#busySlots - this.#buffered.length, 2 * capacity - this.#held.size));
  }

  add(held: HeldRun): void {
    this.#held.set(held.run.id, held);
    this.#buffered.push(held);
  }

  /** The next run to start, which takes a slot; null: no slot is free, or nothing waits. */
  startNext(): HeldRun | null {
    if (this.#busySlots >= this.concurrency) return null;
    const next = this.#buffered.shift() ?? null;
    if (next !== null) this.#busySlots++;
    return next;
  }

  /** Takes everything out of the buffer; it is still held. */
  takeBuffered(): HeldRun[] {
    return this.#buffered.splice(0);
  }

  freeSlot(): void {
    this.#busySlots--;
    this.wake();
  }

  /** Settled, released or lost: no longer ours. */
  remove(held: HeldRun): void {
    if (this.#held.get(held.run.id) === held) this.#held.delete(held.run.id);
    this.wake();
  }

  /** Resolves at the next change (a slot is free again, a run is no longer held) or `wake`. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiters.add(resolve));
  }

  wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }
}

/** Tells a handler to stop, once: the first reason stays. */
export function stopRun(held: HeldRun, reason: StopReason): void {
  if (!held.controller.signal.aborted) held.controller.abort(reason);
}
