/** What can keep a worker from claiming for a while, such as an event loop that is too slow. */
export interface ClaimBrake {
  /**
   * Returns nothing while the worker may claim; otherwise a promise that resolves when it may claim again, or `signal`
   * aborts.
   */
  whenOff(signal: AbortSignal): Promise<void> | undefined;
}

/** What may keep a worker from claiming: its event loop is slow, its session is lost, or your own brake is on. */
export type BrakeName = 'event_loop' | 'session' | 'brake';

/** Waits until each brake is off, one after the other, and says which one is on at the moment. */
export class ClaimBrakes {
  #shutBy: BrakeName | null = null;

  constructor(private readonly brakes: readonly (readonly [BrakeName, ClaimBrake])[]) {}

  /** The brake that keeps the worker from claiming now; null: none does. */
  get shutBy(): BrakeName | null {
    return this.#shutBy;
  }

  /** Resolves when every brake was off, or `signal` aborts. */
  async whenOff(signal: AbortSignal): Promise<void> {
    try {
      for (const [name, brake] of this.brakes) {
        const off = brake.whenOff(signal);
        if (off === undefined) continue;
        this.#shutBy = name;
        await off;
      }
    } finally {
      this.#shutBy = null;
    }
  }
}

/** Those who wait until a brake is off. */
export class Waiting {
  readonly #all = new Set<() => void>();

  /** Resolves when they are let through, or `signal` aborts. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise<void>((resolve) => {
      const open = (): void => {
        this.#all.delete(open);
        signal.removeEventListener('abort', open);
        resolve();
      };
      this.#all.add(open);
      signal.addEventListener('abort', open, { once: true });
    });
  }

  letThrough(): void {
    for (const open of this.#all) open();
  }
}

/**
 * On while the worker's session is gone, which shows others that it lives and on which it renews its leases: others
 * may rescue its runs at any moment, and what it claimed meanwhile would be taken away again with the attempt charged.
 */
export class SessionBrake implements ClaimBrake {
  #isAway = false;
  /** Since when there has been a session without a break, on the monotonic clock. */
  sinceMs = -Infinity;
  readonly #waiting = new Waiting();

  goAway(): void {
    this.#isAway = true;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  comeBack(sinceMs: number): void {
    this.#isAway = false;
    this.sinceMs = sinceMs;
    this.#waiting.letThrough();
  }

  whenOff(signal: AbortSignal): Promise<void> | undefined {
    return this.#isAway && !signal.aborted ? this.#waiting.wait(signal) : undefined;
  }
}
