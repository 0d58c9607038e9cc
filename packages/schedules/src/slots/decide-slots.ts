import type { SkipReason } from '@duework/queue-core';
import { nextSlot } from '../rules/next-slots.js';
import type { Rule } from '../rules/rule.js';

/**
 * Pure: decides about the due slots of one schedule, given the database's now. The tick writes the decisions.
 *
 * Missed slots: of all that are due, `skip` fires the newest if it is at most `toleranceMs` late; `latest` fires the
 * newest, however late; `all` fires every one that is neither older than `maxAgeMs` nor beyond the newest `limit`.
 * Overlap, for slots that would fire while a run of the schedule is live: `allow` fires; `skip` does not; `queue` lets
 * it wait, one after the other, at most `limit` of them; `cancel-running` asks the live runs to stop and fires the
 * newest.
 */
export const MISSED_POLICIES = ['skip', 'latest', 'all'] as const;
export const OVERLAP_POLICIES = ['allow', 'skip', 'queue', 'cancel-running'] as const;

export interface MissedPolicy {
  readonly policy: (typeof MISSED_POLICIES)[number];
  /** `skip`: a slot that is later than this is missed. */
  readonly toleranceMs: number;
  /** `all`: at most so many of the newest slots fire. */
  readonly limit: number;
  /** `all`: no slot older than this fires. */
  readonly maxAgeMs: number;
}

export interface OverlapPolicy {
  readonly policy: (typeof OVERLAP_POLICIES)[number];
  /** `queue`: at most so many slots wait. */
  readonly limit: number;
}

export interface DueSchedule {
  readonly rule: Rule;
  readonly splayOffsetMs: number;
  /** The first slot that is not decided yet; null: only waiting ones are left. */
  readonly nextSlotMs: number | null;
  readonly missed: MissedPolicy;
  readonly overlap: OverlapPolicy;
  readonly hasLiveRun: boolean;
  /** Slots that wait for a run to end, oldest first. */
  readonly waitingMs: readonly number[];
}

export interface SlotDecision {
  readonly slotMs: number;
  readonly outcome: 'fire' | 'skip' | 'wait';
  readonly reason: SkipReason | null;
}

export interface Decision {
  /** In the order of their slots. Slots that waited before this tick are in it only when they change. */
  readonly slots: readonly SlotDecision[];
  readonly isCancellingRunning: boolean;
  /** The first slot that is still undecided; null: the rule has none any more. */
  readonly nextSlotMs: number | null;
  /** When the next tick has to decide again; null: never. */
  readonly tickAtMs: number | null;
}

/** Slots decided in one go, so that a long outage of a frequent schedule cannot make an endless statement. */
export const MAX_SLOTS = 1_000;
/** Slots missed for longer than this become one row of the ledger, unless all due slots fit into `MAX_SLOTS`. */
export const MAX_OUTAGE_MS = 7 * 86_400_000;
/** How soon a tick reads a schedule with waiting slots again. */
export const WAIT_RECHECK_MS = 1_000;

export function decideSlots(schedule: DueSchedule, nowMs: number): Decision {
  const { slots: due, remaining, isOutage, nextSlotMs } = collectDue(schedule, nowMs);
  const judged = due.map((slotMs, index) => judgeMissed(schedule, slotMs, due.length - 1 - index + remaining, nowMs));
  const slots = isOutage
    ? judged.map((slot) => ({ ...slot, outcome: 'skip' as const, reason: 'outage' as const }))
    : judged;
  const { decided, waiting, isCancellingRunning } = resolveOverlap(schedule, slots);
  const nextTickMs = nextSlotMs === null ? Infinity : nextSlotMs + schedule.splayOffsetMs;
  const tickAtMs = Math.min(nextTickMs, waiting > 0 ? nowMs + WAIT_RECHECK_MS : Infinity);
  return { slots: decided, isCancellingRunning, nextSlotMs, tickAtMs: tickAtMs === Infinity ? null : tickAtMs };
}

/** The due slots to decide now, and how many are known to follow (counted up to `missed.limit`, as no more matter). */
function collectDue({ rule, nextSlotMs, splayOffsetMs, missed }: DueSchedule, nowMs: number) {
  const untilMs = nowMs - splayOffsetMs;
  const found: number[] = [];
  let slot = nextSlotMs;
  while (slot !== null && slot <= untilMs && found.length < MAX_SLOTS + missed.limit) {
    found.push(slot);
    slot = nextSlot(rule, slot);
  }
  if (found.length <= MAX_SLOTS) return { slots: found, remaining: 0, isOutage: false, nextSlotMs: slot };
  const slots = found.slice(0, MAX_SLOTS);
  if (slots.at(-1)! < untilMs - MAX_OUTAGE_MS) {
    return {
      slots: slots.slice(0, 1),
      remaining: missed.limit,
      isOutage: true,
      nextSlotMs: nextSlot(rule, untilMs - MAX_OUTAGE_MS),
    };
  }
  return { slots, remaining: found.length - MAX_SLOTS, isOutage: false, nextSlotMs: found[MAX_SLOTS]! };
}

function judgeMissed(
  { missed, splayOffsetMs }: DueSchedule,
  slotMs: number,
  newerCount: number,
  nowMs: number,
): SlotDecision {
  const lateMs = nowMs - slotMs - splayOffsetMs;
  const fire: SlotDecision = { slotMs, outcome: 'fire', reason: null };
  const skip = (reason: SkipReason): SlotDecision => ({ slotMs, outcome: 'skip', reason });
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

function resolveOverlap({ overlap, hasLiveRun, waitingMs }: DueSchedule, slots: readonly SlotDecision[]) {
  const firing = slots.filter(({ outcome }) => outcome === 'fire');
  const decide = (change: (slot: SlotDecision, index: number) => SlotDecision): SlotDecision[] =>
    slots.map((slot) => (slot.outcome === 'fire' ? change(slot, firing.indexOf(slot)) : slot));
  const fireNow = (slotMs: number): SlotDecision => ({ slotMs, outcome: 'fire', reason: null });
  const skip = ({ slotMs }: SlotDecision, reason: SkipReason): SlotDecision => ({ slotMs, outcome: 'skip', reason });
  // slots that waited before the policy was changed fire first, whatever the policy is now
  const [firstWaiting, ...otherWaiting] = waitingMs;
  switch (overlap.policy) {
    case 'allow':
      return { decided: [...waitingMs.map(fireNow), ...slots], waiting: 0, isCancellingRunning: false };
    case 'skip': {
      const isBusy = hasLiveRun || firstWaiting !== undefined;
      const decided = decide((slot, index) => (!isBusy && index === 0 ? slot : skip(slot, 'overlap')));
      if (firstWaiting === undefined || hasLiveRun)
        return { decided, waiting: waitingMs.length, isCancellingRunning: false };
      return { decided: [fireNow(firstWaiting), ...decided], waiting: otherWaiting.length, isCancellingRunning: false };
    }
    case 'queue': {
      const isFree = !hasLiveRun && firstWaiting === undefined;
      const waitingBefore = !hasLiveRun && firstWaiting !== undefined ? otherWaiting.length : waitingMs.length;
      const room = Math.max(0, overlap.limit - waitingBefore);
      const decided = decide((slot, index) => {
        const place = isFree ? index - 1 : index;
        return place < 0 ? slot : place < room ? { ...slot, outcome: 'wait' } : skip(slot, 'queue_full');
      });
      const waiting = waitingBefore + decided.filter(({ outcome }) => outcome === 'wait').length;
      return {
        decided: !hasLiveRun && firstWaiting !== undefined ? [fireNow(firstWaiting), ...decided] : decided,
        waiting,
        isCancellingRunning: false,
      };
    }
    case 'cancel-running': {
      const superseded = waitingMs.map((slotMs): SlotDecision => ({ slotMs, outcome: 'skip', reason: 'superseded' }));
      const decided = decide((slot, index) => (index === firing.length - 1 ? slot : skip(slot, 'superseded')));
      if (firing.length > 0)
        return { decided: [...superseded, ...decided], waiting: 0, isCancellingRunning: hasLiveRun };
      if (firstWaiting === undefined || hasLiveRun)
        return { decided, waiting: waitingMs.length, isCancellingRunning: false };
      return { decided: [fireNow(firstWaiting), ...decided], waiting: otherWaiting.length, isCancellingRunning: false };
    }
  }
}
