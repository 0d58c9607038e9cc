/** What can keep a worker from claiming for a while, such as an event loop that is too slow. */
export interface ClaimGate {
  /**
   * Returns nothing while the worker may claim; otherwise a promise that resolves when it may claim again, or `signal`
   * aborts.
   */
  open(signal: AbortSignal): Promise<void> | undefined;
}

/** What may keep a worker from claiming: its event loop is slow, its session is lost, or your own gate is shut. */
export type GateName = 'event_loop' | 'session' | 'gate';

/** Waits at each gate, one after the other, and says which one is shut at the moment. */
export class ClaimGates {
  #shutBy: GateName | null = null;

  constructor(private readonly gates: readonly (readonly [GateName, ClaimGate])[]) {}

  /** The gate at which the worker waits now; null: no gate keeps it from claiming. */
  get shutBy(): GateName | null {
    return this.#shutBy;
  }

  /** Resolves when every gate was open, or `signal` aborts. */
  async open(signal: AbortSignal): Promise<void> {
    try {
      for (const [name, gate] of this.gates) {
        const opening = gate.open(signal);
        if (opening === undefined) continue;
        this.#shutBy = name;
        await opening;
      }
    } finally {
      this.#shutBy = null;
    }
  }
}

/** Those who wait at a gate that is shut. */
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
 * Shut while the worker's session is gone, which shows others that it lives and on which it renews its leases: others
 * may rescue its runs at any moment, and what it claimed meanwhile would be taken away again with the attempt charged.
 */
export class SessionGate implements ClaimGate {
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

  open(signal: AbortSignal): Promise<void> | undefined {
    return this.#isAway && !signal.aborted ? this.#waiting.wait(signal) : undefined;
  }
}
