import { Heap, type Placed } from '../tables/heap.js';
import type { MemoryGate } from './memory-gate.js';

interface Turn extends Placed {
  readonly gate: MemoryGate;
  turn: number;
}

/** The tenants of one queue of which runs wait, by whose turn it is: the one that has had the fewest is next. */
export class TenantTurns {
  readonly #next = new Heap<Turn>(isBefore);
  readonly #turns = new Map<MemoryGate, Turn>();

  /** Whose turn it is, of those that are not `passed` by. */
  first(passed: (gate: MemoryGate) => boolean): MemoryGate | undefined {
    const next = this.#next.first()?.gate;
    if (next === undefined || !passed(next)) return next;
    let found: Turn | undefined;
    for (const turn of this.#turns.values())
      if (!passed(turn.gate) && (found === undefined || isBefore(turn, found))) found = turn;
    return found?.gate;
  }

  /** A run stands in its line: it is behind nobody who has had as many. */
  join(gate: MemoryGate): void {
    if (this.#turns.has(gate)) return;
    const turn: Turn = { gate, turn: this.#next.first()?.turn ?? 0, place: -1 };
    this.#turns.set(gate, turn);
    this.#next.add(turn);
  }

  /** It has had a turn; with a weight of 2 that is half of one. */
  took(gate: MemoryGate, weight: number): void {
    const turn = this.#turns.get(gate);
    // its last run may have gone
    if (turn === undefined) return;
    this.#next.remove(turn);
    turn.turn += 1 / weight;
    this.#next.add(turn);
  }

  leave(gate: MemoryGate): void {
    const turn = this.#turns.get(gate);
    if (turn === undefined) return;
    this.#next.remove(turn);
    this.#turns.delete(gate);
  }
}

function isBefore(left: Turn, right: Turn): boolean {
  return left.turn === right.turn ? left.gate.key < right.gate.key : left.turn < right.turn;
}
