import type { WakeMessage } from '@duework/queue-core/ports';
import type { MemoryTables } from './memory-tables.js';

/** What a timer can wait for: 24.8 days. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Tells the workers of this process at once what they would find out at their next poll or heartbeat: something is due, or
 * somebody wants a run cancelled. While nobody listens it keeps no timer, so that it keeps no process alive.
 */
export class DueWatch {
  readonly #listeners = new Set<(message: WakeMessage) => void>();
  #armedForMs: number | null = null;
  #cancel: () => void = () => {};

  constructor(private readonly tables: MemoryTables) {}

  /** The returned function ends it. */
  watch(listener: (message: WakeMessage) => void): () => void {
    this.#listeners.add(listener);
    this.arm(this.tables.nowMs());
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stopTimer();
    };
  }

  tell(message: WakeMessage): void {
    for (const listener of this.#listeners) listener(message);
  }

  /** A run waits until then. */
  expect(runAtMs: number): void {
    const nowMs = this.tables.nowMs();
    if (runAtMs <= nowMs) this.tell({ kind: 'woken', queue: null });
    else this.arm(nowMs);
  }

  /**
   * Sets the timer for the next run that is due after `nowMs`; again after each claim, which may bring it to light.
   * `nowMs` is the moment that the caller has looked at: what has become due since then would be missed otherwise.
   */
  arm(nowMs: number): void {
    if (this.#listeners.size === 0) return;
    // its moment has come, and it is about to fire: that claim may have been of another queue
    if (this.#armedForMs !== null && this.#armedForMs <= nowMs) return;
    const nextMs = this.tables.waiting.nextRunAtMs(nowMs);
    if (nextMs === this.#armedForMs) return;
    this.#stopTimer();
    if (nextMs === null) return;
    this.#armedForMs = nextMs;
    this.#cancel = this.tables.clock.after(Math.min(nextMs - nowMs, MAX_TIMER_MS), () => {
      this.#armedForMs = null;
      const firedMs = this.tables.nowMs();
      this.tell({ kind: 'woken', queue: null });
      this.arm(firedMs);
    });
  }

  #stopTimer(): void {
    this.#cancel();
    this.#cancel = () => {};
    this.#armedForMs = null;
  }
}
