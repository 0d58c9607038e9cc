/**
 * The payload of a wake-up. A queue alone wakes everybody, who then poll often for a while. `default 2 now 4711` tells of
 * two runs, and wakes as many workers, once: those whom the number chooses. Nothing was left out behind it, so they need
 * not look again. `later` instead of `now`: a run is not due yet. A fifth word counts how many of those who were chosen
 * had no free slot, and have passed the wake-up on.
 */
export interface WakeHint {
  /** null: any queue. */
  readonly queue: string | null;
  /** null: everybody is meant. */
  readonly share: HintShare | null;
}

export interface HintShare {
  readonly runs: number;
  readonly isLater: boolean;
  readonly number: number;
  readonly passes: number;
}

/** Everything but the number, which the database adds. */
export function formatHint(queue: string, runs: number, isLater: boolean): string {
  return `${queue} ${runs} ${isLater ? 'later' : 'now'}`;
}

/** A payload that cannot be understood means everybody. */
export function parseHint(payload: string): WakeHint {
  const [queue, runs, when, number, passes = '0'] = payload.split(' ') as [string, ...(string | undefined)[]];
  if (queue === '') return { queue: null, share: null };
  const share = { runs: Number(runs), isLater: when === 'later', number: Number(number), passes: Number(passes) };
  const isShare = [share.runs, share.number, share.passes].every((value) => Number.isSafeInteger(value) && value >= 0);
  return { queue, share: isShare && share.runs > 0 ? share : null };
}

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
