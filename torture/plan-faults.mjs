import { seededRandom } from './random.mjs';

/** Now and then two at once. */
const PAIR_SHARE = 0.25;
/** Faults that would only wait for each other, or hide each other. */
const ALONE = new Set(['restart-database', 'fill-disk', 'roll-deploy']);

/**
 * Which faults come in which order, from a seed alone: all of them are dealt out, shuffled, again and again, so that in any
 * stretch each comes about as often as the others.
 *
 * @param {{ seed: number, faults: object[], count: number, isPaired: boolean }} options
 * @returns {{ faults: object[], seeds: number[] }[]} turns, each of one fault or of two at once
 */
export function planFaults({ seed, faults, count, isPaired }) {
  const random = seededRandom(seed);
  const turns = [];
  let deck = [];
  while (turns.length < count) {
    if (deck.length === 0) deck = random.shuffle(faults);
    const first = deck.pop();
    const partner = isPaired && random.isIn(PAIR_SHARE) ? random.pick(faults) : first;
    const isPair = partner !== first && ![first, partner].some(({ name }) => ALONE.has(name));
    const chosen = isPair ? [first, partner] : [first];
    turns.push({ faults: chosen, seeds: chosen.map(() => random.seed()) });
  }
  return turns;
}
