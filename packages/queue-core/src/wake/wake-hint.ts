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
