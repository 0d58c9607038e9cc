import { seededRandom } from '../../kit/seeded-random.js';
import type { Fault } from './faults/fault.js';

/** The share of turns with two faults at once. */
const PAIR_SHARE = 0.25;

/** One fault or two at once, each with a seed for its choices. */
export interface Turn {
  readonly faults: readonly Fault[];
  readonly seeds: readonly number[];
}

export interface PlanOptions {
  readonly seed: number;
  readonly faults: readonly Fault[];
  readonly count: number;
  readonly isPaired: boolean;
}

/**
 * Decides from a seed alone which faults come in which order: all of them are dealt out, shuffled, again and again, so
 * that in any stretch each comes about as often as the others. In each deck the loud ones come first and those that
 * need calm last, so that the others fill the time in between.
 */
export function planFaults({ seed, faults, count, isPaired }: PlanOptions): Turn[] {
  const random = seededRandom(seed);
  const turns: Turn[] = [];
  let deck: Fault[] = [];
  while (turns.length < count && faults.length > 0) {
    if (deck.length === 0) deck = random.shuffle(faults).sort((a, b) => placeOf(a) - placeOf(b));
    const first = deck.shift();
    if (first === undefined) break;
    // a partner comes from the same part of the deck, because a loud one would disturb the calm
    const partners = faults.filter((other) => !other.isSolitary && placeOf(other) === placeOf(first));
    const hasPartner = isPaired && !first.isSolitary && random.isIn(PAIR_SHARE);
    const partner = hasPartner ? random.pick(partners) : first;
    const chosen = partner === first ? [first] : [first, partner];
    turns.push({ faults: chosen, seeds: chosen.map(() => random.seed()) });
  }
  return turns;
}

const placeOf = ({ isLoud = false, needsCalm = false }: Fault): number => (isLoud ? 0 : needsCalm ? 2 : 1);
