import type { WakeMessage } from '@duework/queue-core/ports';
import type { MemoryTables } from './memory-tables.js';

/**
 * Wakes the workers of this process before their next poll or heartbeat, when a run is due, a pause ends, or somebody wants one
 * cancelled. While nobody listens it keeps no timer, so that it keeps no process alive.
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

  /** Takes note of a run that waits until then. */
  expect(runAtMs: number): void {
    const nowMs = this.tables.nowMs();
    if (runAtMs <= nowMs) this.tell({ kind: 'woken', queue: null });
    else this.arm(nowMs);
  }

  /**
   * Sets the timer for the next run that becomes due, or the next pause that ends, after `nowMs`; called again after each claim. `nowMs` is the
   * moment of the claim: a run that has become due since then would be missed otherwise.
   */
  arm(nowMs: number): void {
    if (this.#listeners.size === 0) return;
    // the timer is about to fire, and must: this claim may have been of another queue
    if (this.#armedForMs !== null && this.#armedForMs <= nowMs) return;
    const nextMs = Math.min(
      this.tables.waiting.nextRunAtMs(nowMs) ?? Infinity,
      this.tables.gates.nextLookMs(nowMs) ?? Infinity,
      this.tables.nextPauseEndMs(nowMs),
    );
    if (nextMs === this.#armedForMs) return;
    this.#stopTimer();
    if (nextMs === Infinity) return;
    this.#armedForMs = nextMs;
    this.#cancel = this.tables.clock.after(nextMs - nowMs, () => {
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
