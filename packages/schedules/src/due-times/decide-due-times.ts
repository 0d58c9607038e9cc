import type { SkipReason } from '@duework/queue-core';
import { nextDueTime } from '../rules/next-due-times.js';
import type { Rule } from '../rules/rule.js';

/**
 * Pure: decides about the due times of one schedule, given the database's now. The tick writes the decisions.
 *
 * Missed due times: of all that are due, `skip` fires the newest if it is at most `toleranceMs` late; `latest` fires
 * the newest, however late; `all` fires every one that is neither older than `maxAgeMs` nor beyond the newest `limit`.
 * Overlap, for due times that would fire while a run of the schedule is live: `allow` fires; `skip` does not; `queue`
 * lets it wait, one after the other, at most `limit` of them; `cancel-running` asks the live runs to stop and fires the
 * newest.
 */
export const MISSED_POLICIES = ['skip', 'latest', 'all'] as const;
export const OVERLAP_POLICIES = ['allow', 'skip', 'queue', 'cancel-running'] as const;

export interface MissedPolicy {
  readonly policy: (typeof MISSED_POLICIES)[number];
  /** `skip`: a due time that is later than this is missed. */
  readonly toleranceMs: number;
  /** `all`: at most so many of the newest due times fire. */
  readonly limit: number;
  /** `all`: no due time older than this fires. */
  readonly maxAgeMs: number;
}

export interface OverlapPolicy {
  readonly policy: (typeof OVERLAP_POLICIES)[number];
  /** `queue`: at most so many due times wait. */
  readonly limit: number;
}

export interface DueSchedule {
  readonly rule: Rule;
  readonly splayOffsetMs: number;
  /** The first due time that is not decided yet; null: only waiting ones are left. */
  readonly nextDueMs: number | null;
  readonly missed: MissedPolicy;
  readonly overlap: OverlapPolicy;
  readonly hasLiveRun: boolean;
  /** Due times that wait for a run to end, oldest first. */
  readonly waitingMs: readonly number[];
}

export interface DueTimeDecision {
  readonly dueMs: number;
  readonly outcome: 'fire' | 'skip' | 'wait';
  readonly reason: SkipReason | null;
}

export interface Decision {
  /** In the order of their due times. Due times that waited before this tick are in it only when they change. */
  readonly dueTimes: readonly DueTimeDecision[];
  readonly isCancellingRunning: boolean;
  /** The first due time that is still undecided; null: the rule has none any more. */
  readonly nextDueMs: number | null;
  /** When the next tick has to decide again; null: never. */
  readonly tickAtMs: number | null;
}

/** Due times decided in one go, so that a long outage of a frequent schedule cannot make an endless statement. */
export const MAX_DUE_TIMES = 1_000;
/**
 * Due times missed for longer than this become one row of the ledger, unless all due times fit into `MAX_DUE_TIMES`.
 */
export const MAX_OUTAGE_MS = 7 * 86_400_000;
/** How soon a tick reads a schedule with waiting due times again. */
export const WAIT_RECHECK_MS = 1_000;

export function decideDueTimes(schedule: DueSchedule, nowMs: number): Decision {
  const { dueTimes: due, remaining, isOutage, nextDueMs } = collectDue(schedule, nowMs);
  const judged = due.map((dueMs, index) => judgeMissed(schedule, dueMs, due.length - 1 - index + remaining, nowMs));
  const dueTimes = isOutage
    ? judged.map((dueTime) => ({ ...dueTime, outcome: 'skip' as const, reason: 'outage' as const }))
    : judged;
  const { decided, waiting, isCancellingRunning } = resolveOverlap(schedule, dueTimes);
  const nextTickMs = nextDueMs === null ? Infinity : nextDueMs + schedule.splayOffsetMs;
  const tickAtMs = Math.min(nextTickMs, waiting > 0 ? nowMs + WAIT_RECHECK_MS : Infinity);
  return { dueTimes: decided, isCancellingRunning, nextDueMs, tickAtMs: tickAtMs === Infinity ? null : tickAtMs };
}

/** The due times to decide now, and how many are known to follow (counted up to `missed.limit`, as no more matter). */
function collectDue({ rule, nextDueMs, splayOffsetMs, missed }: DueSchedule, nowMs: number) {
  const untilMs = nowMs - splayOffsetMs;
  const found: number[] = [];
  let dueTime = nextDueMs;
  while (dueTime !== null && dueTime <= untilMs && found.length < MAX_DUE_TIMES + missed.limit) {
    found.push(dueTime);
    dueTime = nextDueTime(rule, dueTime);
  }
  if (found.length <= MAX_DUE_TIMES) return { dueTimes: found, remaining: 0, isOutage: false, nextDueMs: dueTime };
  const dueTimes = found.slice(0, MAX_DUE_TIMES);
  if (dueTimes.at(-1)! < untilMs - MAX_OUTAGE_MS) {
    return {
      dueTimes: dueTimes.slice(0, 1),
      remaining: missed.limit,
      isOutage: true,
      nextDueMs: nextDueTime(rule, untilMs - MAX_OUTAGE_MS),
    };
  }
  return { dueTimes, remaining: found.length - MAX_DUE_TIMES, isOutage: false, nextDueMs: found[MAX_DUE_TIMES]! };
}

function judgeMissed(
  { missed, splayOffsetMs }: DueSchedule,
  dueMs: number,
  newerCount: number,
  nowMs: number,
): DueTimeDecision {
  const lateMs = nowMs - dueMs - splayOffsetMs;
  const fire: DueTimeDecision = { dueMs, outcome: 'fire', reason: null };
  const skip = (reason: SkipReason): DueTimeDecision => ({ dueMs, outcome: 'skip', reason });
  switch (missed.policy) {
    case 'skip':
      return newerCount === 0 && lateMs <= missed.toleranceMs ? fire : skip('missed');
    case 'latest':
      return newerCount === 0 ? fire : skip('missed');
    case 'all':
      if (lateMs > missed.maxAgeMs) return skip('too_old');
      return newerCount < missed.limit ? fire : skip('over_limit');
  }
}

function resolveOverlap({ overlap, hasLiveRun, waitingMs }: DueSchedule, dueTimes: readonly DueTimeDecision[]) {
  const firing = dueTimes.filter(({ outcome }) => outcome === 'fire');
  const decide = (change: (dueTime: DueTimeDecision, index: number) => DueTimeDecision): DueTimeDecision[] =>
    dueTimes.map((dueTime) => (dueTime.outcome === 'fire' ? change(dueTime, firing.indexOf(dueTime)) : dueTime));
  const fireNow = (dueMs: number): DueTimeDecision => ({ dueMs, outcome: 'fire', reason: null });
  const skip = ({ dueMs }: DueTimeDecision, reason: SkipReason): DueTimeDecision => ({
    dueMs,
    outcome: 'skip',
    reason,
  });
  // due times that waited before the policy was changed fire first, whatever the policy is now
  const [firstWaiting, ...otherWaiting] = waitingMs;
  switch (overlap.policy) {
    case 'allow':
      return { decided: [...waitingMs.map(fireNow), ...dueTimes], waiting: 0, isCancellingRunning: false };
    case 'skip': {
      const isBusy = hasLiveRun || firstWaiting !== undefined;
      const decided = decide((dueTime, index) => (!isBusy && index === 0 ? dueTime : skip(dueTime, 'overlap')));
      if (firstWaiting === undefined || hasLiveRun)
        return { decided, waiting: waitingMs.length, isCancellingRunning: false };
      return { decided: [fireNow(firstWaiting), ...decided], waiting: otherWaiting.length, isCancellingRunning: false };
    }
    case 'queue': {
      const isFree = !hasLiveRun && firstWaiting === undefined;
      const waitingBefore = !hasLiveRun && firstWaiting !== undefined ? otherWaiting.length : waitingMs.length;
      const room = Math.max(0, overlap.limit - waitingBefore);
      const decided = decide((dueTime, index) => {
        const place = isFree ? index - 1 : index;
        return place < 0 ? dueTime : place < room ? { ...dueTime, outcome: 'wait' } : skip(dueTime, 'queue_full');
      });
      const waiting = waitingBefore + decided.filter(({ outcome }) => outcome === 'wait').length;
      return {
        decided: !hasLiveRun && firstWaiting !== undefined ? [fireNow(firstWaiting), ...decided] : decided,
        waiting,
        isCancellingRunning: false,
      };
    }
    case 'cancel-running': {
      const superseded = waitingMs.map((dueMs): DueTimeDecision => ({ dueMs, outcome: 'skip', reason: 'superseded' }));
      const decided = decide((dueTime, index) => (index === firing.length - 1 ? dueTime : skip(dueTime, 'superseded')));
      if (firing.length > 0)
        return { decided: [...superseded, ...decided], waiting: 0, isCancellingRunning: hasLiveRun };
      if (firstWaiting === undefined || hasLiveRun)
        return { decided, waiting: waitingMs.length, isCancellingRunning: false };
      return { decided: [fireNow(firstWaiting), ...decided], waiting: otherWaiting.length, isCancellingRunning: false };
    }
  }
}
