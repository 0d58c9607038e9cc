import type { PreviewedSlot, Schedule, Slot } from '../../api/use-schedules.js';

/** A slot that is fired so much later than it was due is shown as late. */
export const LATE_MS = 30_000;

const LIVE: ReadonlySet<string | null> = new Set(['queued', 'running', 'failed']);

export type SlotKind =
  | 'fired'
  | 'live'
  | 'dead'
  | 'late'
  | 'triggered'
  | 'skipped'
  | 'waiting'
  | 'missing'
  | 'undecided';

/** A slot of the strip; `slot` is its line in the ledger, null where there is none. */
export interface ShownSlot {
  readonly at: string;
  readonly kind: SlotKind;
  readonly slot: Slot | null;
}

/** What became of a slot, by its line in the ledger. */
export function kindOf({ outcome, reason, lateMs, runStatus }: Slot): SlotKind {
  if (outcome !== 'fired') return outcome;
  // a job that died is what matters, whenever it was fired
  if (runStatus === 'dead') return 'dead';
  if (reason === 'triggered') return 'triggered';
  if (lateMs > LATE_MS) return 'late';
  return LIVE.has(runStatus) ? 'live' : 'fired';
}

/**
 * The ledger beside what the rule expected, the oldest first. An expected slot without a line is `undecided` from the
 * schedule's next slot on, and `missing` before it; the line of an outage stands for all slots up to the next line.
 * `untilMs`: later slots are not expected yet.
 */
export function makeSlots(
  ledger: readonly Slot[],
  expected: readonly Pick<PreviewedSlot, 'slotAt'>[],
  { nextSlotAt }: Pick<Schedule, 'nextSlotAt'>,
  untilMs: number,
): readonly ShownSlot[] {
  const known = new Set(ledger.map(({ slotAt }) => Date.parse(slotAt)));
  const next = nextSlotAt === null ? Infinity : Date.parse(nextSlotAt);
  const all: ShownSlot[] = [
    ...ledger.map((slot) => ({ at: slot.slotAt, kind: kindOf(slot), slot })),
    ...expected
      .filter(({ slotAt }) => Date.parse(slotAt) < untilMs && !known.has(Date.parse(slotAt)))
      .map(({ slotAt }) => ({
        at: slotAt,
        kind: Date.parse(slotAt) >= next ? ('undecided' as const) : ('missing' as const),
        slot: null,
      })),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  let isOutage = false;
  return all.filter(({ slot, kind }) => {
    if (slot !== null) isOutage = slot.reason === 'outage';
    return kind !== 'missing' || !isOutage;
  });
}

const DAY_MS = 86_400_000;

/**
 * From when on a slot without a line is missed: after the oldest line that is read, and since the schedule was changed.
 * Older lines may have been removed.
 */
export function expectFrom(ledger: readonly Slot[], { updatedAt }: Pick<Schedule, 'updatedAt'>, now: number): string {
  const oldest = ledger.at(-1);
  const from = oldest === undefined ? now - DAY_MS : Date.parse(oldest.slotAt);
  // whole minutes, so that the same is asked for a while
  const rounded = oldest === undefined ? Math.ceil(from / 60_000) * 60_000 : from;
  return new Date(Math.max(rounded, Date.parse(updatedAt))).toISOString();
}
