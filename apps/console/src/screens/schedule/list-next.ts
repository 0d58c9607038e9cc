import type { PreviewedSlot } from '../../api/use-schedules.js';

/** A slot that comes. `isApart`: there are others between it and the one before. */
export interface NextSlot {
  readonly slot: PreviewedSlot;
  /** By how many minutes the clock was changed since the slot before. */
  readonly clockMinutes: number;
  readonly isApart: boolean;
}

/** The first `shown` slots, and after them the next one around which clocks change. */
export function listNext(slots: readonly PreviewedSlot[], shown: number): readonly NextSlot[] {
  const all = slots.map((slot, index) => {
    const before = slots[index - 1];
    return { slot, clockMinutes: before === undefined ? 0 : offsetOf(slot) - offsetOf(before), isApart: false };
  });
  const first = all.slice(0, shown);
  const changed = all.findIndex(
    ({ slot, clockMinutes }, index) => index >= shown && (slot.dst !== null || clockMinutes !== 0),
  );
  return changed < 0 ? first : [...first, { ...all[changed]!, isApart: changed > shown }];
}

/** Minutes that its local time is ahead of UTC. */
export function offsetOf({ local }: Pick<PreviewedSlot, 'local'>): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(local)!;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
