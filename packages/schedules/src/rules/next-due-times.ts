import type { CronPattern } from './cron-pattern.js';
import type { Rule } from './rule.js';
import { ZoneCalendar } from './zone-calendar.js';

/**
 * The due instants of a rule. A due time is identified by its instant alone: whoever computes it, on any machine, gets
 * the same one, so a unique row decides who fires it.
 *
 * Where clocks change, for cron rules:
 * - a local time that does not exist runs at the instant the gap ends, once, however many of the rule's times fell into it;
 * - one that exists twice runs the first time only;
 * - unless the rule allows every hour: then it follows real time, skips what does not exist and runs both of what is
 *   doubled. A rule that names hours, but every few minutes of them, runs both of what is doubled too.
 */
export function nextDueTimes(rule: Rule, afterMs: number, count: number): number[] {
  const dueTimes: number[] = [];
  let dueTime = nextDueTime(rule, afterMs);
  while (dueTime !== null && dueTimes.length < count) {
    dueTimes.push(dueTime);
    dueTime = nextDueTime(rule, dueTime);
  }
  return dueTimes;
}

/** The first due time after `afterMs`; null: the rule has none any more. */
export function nextDueTime(rule: Rule, afterMs: number): number | null {
  const { kind, startsAtMs, endsAtMs } = rule;
  const fromMs = startsAtMs === null ? afterMs : Math.max(afterMs, startsAtMs - 1);
  const dueTime =
    kind.name === 'at'
      ? kind.ms > fromMs
        ? kind.ms
        : null
      : kind.name === 'every'
        ? nextMultiple(kind.ms, startsAtMs ?? 0, fromMs)
        : nextCron(kind.pattern, ZoneCalendar.of(rule.timeZone), fromMs);
  return dueTime !== null && (endsAtMs === null || dueTime < endsAtMs) && dueTime <= LAST_MS ? dueTime : null;
}

const LAST_MS = Date.UTC(9999, 11, 31);

function nextMultiple(everyMs: number, anchorMs: number, afterMs: number): number {
  return anchorMs + Math.max(0, Math.floor((afterMs - anchorMs) / everyMs) + 1) * everyMs;
}

/**
 * Walks from transition to transition: between two of them local time and real time differ by one number, and the order of
 * local times is the order of instants.
 */
function nextCron(pattern: CronPattern, zone: ZoneCalendar, afterMs: number): number | null {
  let fromMs = afterMs;
  let offset = zone.offsetAt(fromMs);
  let localMs = fromMs + offset;
  const recent = zone.recentTransition(fromMs);
  if (recent !== null) localMs = Math.max(localMs, doneUntil(pattern, recent));
  for (;;) {
    const nextLocal = pattern.nextLocal(localMs);
    // beyond the years that can be stored; it also ends the search of a rule that never fires
    if (nextLocal === null || nextLocal > LAST_MS) return null;
    const transition = zone.nextTransition(fromMs, nextLocal - offset);
    if (transition === null) return nextLocal - offset;
    if (isMovedTo(pattern, transition)) return transition.atMs;
    [fromMs, offset] = [transition.atMs, transition.toMs];
    localMs = Math.max(fromMs + offset - 1, doneUntil(pattern, transition));
  }
}

/** The local time up to which the rule had run when the clock was set back; it does not run again for what repeats. */
function doneUntil(
  pattern: CronPattern,
  { atMs, fromMs, toMs }: { atMs: number; fromMs: number; toMs: number },
): number {
  return pattern.isRepeated || toMs > fromMs ? -Infinity : atMs + fromMs - 1;
}

/** Whether a time of the rule fell into the gap that ends here. */
function isMovedTo(
  pattern: CronPattern,
  { atMs, fromMs, toMs }: { atMs: number; fromMs: number; toMs: number },
): boolean {
  if (pattern.isHourly || toMs <= fromMs) return false;
  const missing = pattern.nextLocal(atMs + fromMs - 1);
  return missing !== null && missing < atMs + toMs;
}

/**
 * The effect of a change of the clock on a due time. `moved`: its local time does not exist, and it runs right after
 * the gap. `runs_once`: its local time occurs twice, and this is the first. `repeated`: this is the second, and it runs
 * again.
 */
export type DstMark = 'moved' | 'runs_once' | 'repeated';

export function markDueTime(rule: Rule, dueMs: number): DstMark | null {
  if (rule.kind.name !== 'cron') return null;
  const { pattern } = rule.kind;
  const zone = ZoneCalendar.of(rule.timeZone);
  const localMs = zone.toLocal(dueMs);
  const recent = zone.recentTransition(dueMs);
  if (recent !== null && recent.atMs === dueMs && isMovedTo(pattern, recent))
    return pattern.nextLocal(localMs - 1) === localMs ? null : 'moved';
  if (recent !== null && recent.toMs < recent.fromMs && localMs < recent.atMs + recent.fromMs) return 'repeated';
  const coming = zone.nextTransition(dueMs, dueMs + 86_400_000);
  const isDoubled = coming !== null && coming.toMs < coming.fromMs && localMs >= coming.atMs + coming.toMs;
  return isDoubled && !pattern.isRepeated ? 'runs_once' : null;
}
