import type { PreviewedDueTime } from '../../api/use-schedules.js';

/** A due time that comes. `isApart`: there are others between it and the one before. */
export interface NextDueTime {
  readonly dueTime: PreviewedDueTime;
  /** By how many minutes the clock was changed since the due time before. */
  readonly clockMinutes: number;
  readonly isApart: boolean;
}

/** The first `shown` due times, and after them the next one around which clocks change. */
export function listNext(dueTimes: readonly PreviewedDueTime[], shown: number): readonly NextDueTime[] {
  const all = dueTimes.map((dueTime, index) => {
    const before = dueTimes[index - 1];
    return { dueTime, clockMinutes: before === undefined ? 0 : offsetOf(dueTime) - offsetOf(before), isApart: false };
  });
  const first = all.slice(0, shown);
  const changed = all.findIndex(
    ({ dueTime, clockMinutes }, index) => index >= shown && (dueTime.dst !== null || clockMinutes !== 0),
  );
  return changed < 0 ? first : [...first, { ...all[changed]!, isApart: changed > shown }];
}

/** Minutes that its local time is ahead of UTC. */
export function offsetOf({ local }: Pick<PreviewedDueTime, 'local'>): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(local)!;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
