import type { ClaimGate } from './claim-gate.js';

/**
 * Shut while the worker's session is gone, which shows others that it lives and on which it renews its leases: others
 * may rescue its runs at any moment, and what it claimed meanwhile would be taken away again with the attempt charged.
 */
export class SessionGate implements ClaimGate {
  #isAway = false;
  /** Since when there has been a session without a break, on the monotonic clock. */
  sinceMs = -Infinity;
  readonly #waiting = new Set<() => void>();

  goAway(): void {
    this.#isAway = true;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  comeBack(sinceMs: number): void {
    this.#isAway = false;
    this.sinceMs = sinceMs;
    for (const open of this.#waiting) open();
  }

  open(signal: AbortSignal): Promise<void> | undefined {
    if (!this.#isAway || signal.aborted) return undefined;
    return new Promise<void>((resolve) => {
      const open = (): void => {
        this.#waiting.delete(open);
        signal.removeEventListener('abort', open);
        resolve();
      };
      this.#waiting.add(open);
      signal.addEventListener('abort', open, { once: true });
    });
  }
}
