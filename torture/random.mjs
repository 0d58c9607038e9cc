/**
 * A seeded source of chance (mulberry32): the same seed, the same choices.
 *
 * @param {number} seed - a whole number from 0 to 4,294,967,295
 */
export function seededRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end) => Math.floor(next() * end);
  return {
    /** From 0 to below 1. */
    next,
    /** A whole number, both ends included. */
    between: (min, max) => min + below(max - min + 1),
    isIn: (share) => next() < share,
    pick: (list) => list[below(list.length)],
    shuffle(list) {
      const mixed = [...list];
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = below(last + 1);
        [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
      }
      return mixed;
    },
    /** A seed for somebody who shall choose by himself. */
    seed: () => below(4_294_967_296),
  };
}
