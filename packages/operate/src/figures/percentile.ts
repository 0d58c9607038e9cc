/**
 * The time below which a share of the counted ones is, in milliseconds; null: none was counted. The n-th place counts
 * times below 2^(n-1) ms and not below half of it, so an answer is within a factor of two, and usually much closer.
 */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = share * total;
  for (const [place, count] of counts.entries()) {
    if (count > 0 && left <= count) {
      const from = place === 0 ? 0 : 2 ** (place - 1);
      const to = 2 ** place;
      return Math.round((from + (to - from) * (left / count)) * 10) / 10;
    }
    left -= count;
  }
  return 2 ** (counts.length - 1);
}
