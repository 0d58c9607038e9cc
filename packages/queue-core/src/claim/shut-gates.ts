import type { Clock } from '../clock.js';

/**
 * The gates that handlers of this process were told to leave alone (429), and until when on the process clock. The
 * database lets nobody in at them once the settlement is written; what this worker has claimed before that, or claims
 * meanwhile, goes back. It knows no more than its own handlers told: other workers hear of it from the database.
 */
export class ShutGates {
  readonly #untilMs = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  shut(gates: readonly string[], forMs: number): void {
    const untilMs = this.clock.monotonicMs() + forMs;
    for (const gate of gates) this.#untilMs.set(gate, Math.max(this.#untilMs.get(gate) ?? -Infinity, untilMs));
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
