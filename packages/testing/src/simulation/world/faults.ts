import { keyedRandom, pick } from './keyed-random.js';
import { CALL_FAULTS, type FaultKind, type Plan } from '../plan/plan.js';

/** How likely a fault is at each place where one can occur. */
const RATES = [0, 0.01, 0.02, 0.04, 0.08, 0.15];

/**
 * Decides where a fault occurs: where the plan says so, or by chance as long as faults last. Each seed has its own rate
 * and its own few kinds of faults, because a few kinds that meet often find more than all kinds that meet seldom.
 */
export class Faults {
  /** The faults that have occurred, by their place. */
  readonly taken = new Map<string, FaultKind>();
  readonly #rate: number;
  readonly #kinds: ReadonlySet<FaultKind>;
  #isOver = false;

  constructor(private readonly plan: Plan) {
    const random = keyedRandom(plan.seed, 'faults');
    this.#rate = pick(random, RATES);
    this.#kinds = new Set(CALL_FAULTS.filter(() => random() < 0.6));
  }

  /** From now on everything works. */
  end(): void {
    this.#isOver = true;
  }

  at(place: string, possible: readonly FaultKind[]): FaultKind | null {
    const kind = this.#decide(place, possible);
    if (kind !== null) this.taken.set(place, kind);
    return kind;
  }

  #decide(place: string, possible: readonly FaultKind[]): FaultKind | null {
    const { seed, faults } = this.plan;
    if (this.#isOver) return null;
    if (faults !== null) return faults.get(place) ?? null;
    if (this.#rate === 0) return null;
    const random = keyedRandom(seed, place);
    if (random() >= this.#rate) return null;
    const kind = pick(random, possible);
    return this.#kinds.has(kind) ? kind : null;
  }
}
