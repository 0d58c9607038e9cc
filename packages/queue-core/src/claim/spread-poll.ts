/** ±20 %, so that fifty workers that started together do not poll together. `random` is in [0, 1). */
export function spreadPoll(intervalMs: number, random: number): number {
  return intervalMs * (0.8 + 0.4 * random);
}
