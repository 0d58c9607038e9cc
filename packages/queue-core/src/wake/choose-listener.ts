import type { HintShare } from './wake-hint.js';

/** Where a listener stands among those that could do its work; `rank` counts from 0. */
export interface Place {
  readonly count: number;
  readonly rank: number;
}

/**
 * What a wake-up asks of the listener at that place: to claim at once (`chosen`), to look a little later whether the
 * others have (`spare`), or nothing (null). Whoever does not know the others is chosen.
 *
 * All listeners of a group come to the same answer, because they use the same number. Transaction numbers come in steps:
 * the golden ratio spreads them over all listeners, whatever the step is.
 */
export function chooseListener(place: Place | null, { number, runs }: HintShare): 'chosen' | 'spare' | null {
  if (place === null) return 'chosen';
  const { count, rank } = place;
  const first = Math.floor(((Math.imul(number, 0x9e3779b1) >>> 0) / 2 ** 32) * count);
  const distance = (rank - first + count) % count;
  if (distance < runs) return 'chosen';
  return distance === runs ? 'spare' : null;
}
