import type { PreviewedDueTime, Schedule, DueTime } from '../../api/use-schedules.js';

/** A due time that is fired so much later than it was due is shown as late. */
export const LATE_MS = 30_000;

const LIVE: ReadonlySet<string | null> = new Set(['queued', 'running', 'failed']);

export type DueTimeKind =
  | 'fired'
  | 'live'
  | 'dead'
  | 'late'
  | 'triggered'
  | 'skipped'
  | 'waiting'
  | 'missing'
  | 'undecided';

/** A due time of the strip; `dueTime` is its line in the ledger, null where there is none. */
export interface ShownDueTime {
  readonly at: string;
  readonly kind: DueTimeKind;
  readonly dueTime: DueTime | null;
}

/** What became of a due time, by its line in the ledger. */
export function kindOf({ outcome, reason, lateMs, runStatus }: DueTime): DueTimeKind {
  if (outcome !== 'fired') return outcome;
  // a job that died is what matters, whenever it was fired
  if (runStatus === 'dead') return 'dead';
  if (reason === 'triggered') return 'triggered';
  if (lateMs > LATE_MS) return 'late';
  return LIVE.has(runStatus) ? 'live' : 'fired';
}

/**
 * The ledger beside what the rule expected, the oldest first. An expected due time without a line is `undecided` from
 * the schedule's next due time on, and `missing` before it; the line of an outage stands for all due times up to the
 * next line. `untilMs`: later due times are not expected yet.
 */
export function makeDueTimes(
  ledger: readonly DueTime[],
  expected: readonly Pick<PreviewedDueTime, 'dueAt'>[],
  { nextDueAt }: Pick<Schedule, 'nextDueAt'>,
  untilMs: number,
): readonly ShownDueTime[] {
  const known = new Set(ledger.map(({ dueAt }) => Date.parse(dueAt)));
  const next = nextDueAt === null ? Infinity : Date.parse(nextDueAt);
  const all: ShownDueTime[] = [
    ...ledger.map((dueTime) => ({ at: dueTime.dueAt, kind: kindOf(dueTime), dueTime })),
    ...expected
      .filter(({ dueAt }) => Date.parse(dueAt) < untilMs && !known.has(Date.parse(dueAt)))
      .map(({ dueAt }) => ({
        at: dueAt,
        kind: Date.parse(dueAt) >= next ? ('undecided' as const) : ('missing' as const),
        dueTime: null,
      })),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  let isOutage = false;
  return all.filter(({ dueTime, kind }) => {
    if (dueTime !== null) isOutage = dueTime.reason === 'outage';
    return kind !== 'missing' || !isOutage;
  });
}

const DAY_MS = 86_400_000;

/**
 * From when on a due time without a line is missed: after the oldest line that is read, and since the schedule was
 * changed. Older lines may have been removed.
 */
export function expectFrom(
  ledger: readonly DueTime[],
  { updatedAt }: Pick<Schedule, 'updatedAt'>,
  now: number,
): string {
  const oldest = ledger.at(-1);
  const from = oldest === undefined ? now - DAY_MS : Date.parse(oldest.dueAt);
  // whole minutes, so that the same is asked for a while
  const rounded = oldest === undefined ? Math.ceil(from / 60_000) * 60_000 : from;
  return new Date(Math.max(rounded, Date.parse(updatedAt))).toISOString();
}
