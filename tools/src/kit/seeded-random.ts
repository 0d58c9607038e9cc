export interface SeededRandom {
  /** A number from 0 to below 1. */
  next(): number;
  /** A whole number, both bounds included. */
  between(min: number, max: number): number;
  isIn(share: number): boolean;
  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
  /** A seed for another source of chance. */
  seed(): number;
}

/**
 * A seeded source of chance (mulberry32): the same seed makes the same choices.
 *
 * @param seed a whole number from 0 to 4,294,967,295
 */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    between: (min, max) => min + below(max - min + 1),
    isIn: (share) => next() < share,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('There is nothing to pick from.');
      return list[below(list.length)] as T;
    },
    shuffle<T>(list: readonly T[]): T[] {
      const mixed = [...list];
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = below(last + 1);
        const moved = mixed[last] as T;
        mixed[last] = mixed[other] as T;
        mixed[other] = moved;
      }
      return mixed;
    },
    seed: () => below(4_294_967_296),
  };
}
