// a simulation draws by the million, and jest's sandbox is slow to find a global
const { imul } = Math;

/** The next number in [0, 1). */
export type Random = () => number;

/**
 * A separate source of random numbers for each pair of seed and key. The numbers that one part of a simulation draws
 * never shift those of another, so a fault or a job can be left out and everything else stays as it was.
 */
export function keyedRandom(seed: number, key: string): Random {
  let state = (2_166_136_261 ^ seed) | 0;
  for (let i = 0; i < key.length; i++) state = imul(state ^ key.charCodeAt(i), 16_777_619);
  // mulberry32
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of them, each as likely as the next. */
export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)]!;
}

/** A whole number from `min` to `max`. */
export function pickWhole(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}
