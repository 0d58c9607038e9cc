import type { ClaimGate } from './claim-gate.js';

/** What may keep a worker from claiming: its event loop is too slow, its session is away, or a gate of the caller's. */
export type GateName = 'event_loop' | 'session' | 'gate';

/** All of them, one after the other, and which one is shut at the moment. */
export class ClaimGates implements ClaimGate {
  #shutBy: GateName | null = null;

  constructor(private readonly gates: readonly (readonly [GateName, ClaimGate])[]) {}

  /** null: nothing keeps the worker from claiming, as far as its last try has shown. */
  get shutBy(): GateName | null {
    return this.#shutBy;
  }

  async open(signal: AbortSignal): Promise<void> {
    try {
      for (const [name, gate] of this.gates) {
        this.#shutBy = name;
        await gate.open(signal);
      }
    } finally {
      this.#shutBy = null;
    }
  }
}
