import type { Counted } from './sql/find-counted.js';

/** How many of a type come into a queue, and how many slots these need. */
export interface Demand {
  /**
   * How many came due in a second within the last five minutes, retries among them: what began, and by how much what waits has
   * grown. null: it was not counted for long enough.
   */
  readonly arrivalsPerSecond: number | null;
  /** That many times the mean time of an attempt; null: one of both is not known. */
  readonly slotsNeeded: number | null;
}

/** By Little's law, so many handlers run at once, on average, where none has to wait. */
export function demandOf(
  { countedSeconds, seconds, lines }: Counted,
  { queue, type, due, meanMs }: { queue: string; type: string; due: number; meanMs: number | null },
): Demand {
  if (countedSeconds === null || seconds === null || countedSeconds <= 0)
    return { arrivalsPerSecond: null, slotsNeeded: null };
  const line = lines.find((one) => one.queue === queue && one.type === type);
  const { claimed, dueFirst, dueLast } = line ?? { claimed: 0, dueFirst: 0, dueLast: 0 };
  // what has begun since the last sample is not known: of the two the greater is nearer
  const perSecond = Math.max(0, (claimed + dueLast - dueFirst) / countedSeconds, (claimed + due - dueFirst) / seconds);
  return {
    arrivalsPerSecond: perSecond,
    slotsNeeded: perSecond === 0 ? 0 : meanMs === null ? null : (perSecond * meanMs) / 1_000,
  };
}
