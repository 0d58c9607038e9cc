import type { Clock } from '../clock.js';

/** With more gates than this those that are open again are forgotten. */
const MANY = 1_000;

/**
 * The gates that handlers were told to leave alone (429), and until when on the process clock. The store lets nobody in at
 * them once the settlement is written; what this worker has claimed before that, or claims meanwhile, goes back. It knows
 * what its own handlers told at once, and what those of others told when the store reports it.
 */
export class ShutGates {
  readonly #untilMs = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  shut(gates: readonly string[], forMs: number): void {
    const untilMs = this.clock.monotonicMs() + forMs;
    for (const gate of gates) this.#untilMs.set(gate, Math.max(this.#untilMs.get(gate) ?? -Infinity, untilMs));
    if (this.#untilMs.size > MANY) for (const gate of this.#untilMs.keys()) this.#isShut(gate);
  }

  get isEmpty(): boolean {
    return this.#untilMs.size === 0;
  }

  isShutFor(gates: readonly string[] | null): boolean {
    return gates !== null && gates.some((gate) => this.#isShut(gate));
  }

  #isShut(gate: string): boolean {
    const untilMs = this.#untilMs.get(gate);
    if (untilMs === undefined) return false;
    if (untilMs > this.clock.monotonicMs()) return true;
    this.#untilMs.delete(gate);
    return false;
  }
}
