import type { ClaimGate } from './claim-gate.js';

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
