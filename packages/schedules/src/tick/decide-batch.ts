import { DueworkError, jobRequest, type Queryable, type SkipReason } from '@duework/queue-core';
import type { JobContract } from '@duework/contracts';
import {
  cancelRun,
  type InsertedRun,
  insertRuns,
  makeNewRun,
  requireInline,
  type NewRun,
  sendThroughHook,
} from '@duework/queue-core/internals';
import type { LockedSchedules } from '../sql/lock-due-schedules.js';
import { readSlotStates, type SlotState } from '../sql/read-slot-states.js';
import type { ScheduleRow } from '../sql/schedule-row.js';
import { writeSlots, type AdvancedSchedule, type DecidedSlot } from '../sql/write-slots.js';
import { decideSlots, type Decision } from '../slots/decide-slots.js';
import { ruleOf } from '../schedule.js';
import { toIso } from '../schedule-request.js';
import { slotPayload } from '../slots/slot-payload.js';
import type { TickEvent } from './tick-event.js';

/** How soon a tick tries a schedule again of which no run can be made: a deploy may have repaired it. */
const FAILED_RETRY_MS = 60_000;
/** With `allow`, runs may pile up; only the newest are read. */
const MAX_TRACKED_RUNS = 20;

/** One schedule on its way through a tick. */
interface Ticked {
  readonly row: ScheduleRow;
  readonly decision: Decision;
  readonly liveRunIds: readonly string[];
  readonly slots: PlannedSlot[];
}

interface PlannedSlot {
  readonly slotMs: number;
  readonly run: NewRun | null;
  readonly outcome: 'fired' | 'skipped' | 'waiting';
  readonly reason: SkipReason | null;
}

/** Writes the runs of slots, and wakes the workers of their queues when the tick is committed. */
async function insertPlanned(
  tx: Queryable,
  runs: readonly NewRun[],
  schedules: readonly string[],
  expectedTransaction: string,
): Promise<readonly InsertedRun[]> {
  if (runs.length === 0) return [];
  const wake = [...new Set(runs.map((run) => run.queue))];
  const insert = async (sent: readonly NewRun[]) =>
    (await insertRuns(tx, sent, { expectedTransaction, wake })).map((run) => ({
      ...run,
      isDeduplicated: run.status !== null,
    }));
  return sendThroughHook(runs, insert, schedules);
}

/** Decides about locked schedules and writes every decision; an error rolls all of it back. */
export async function decideBatch(
  tx: Queryable,
  contractOf: ReadonlyMap<string, JobContract>,
  { schedules, nowMs, transactionId }: LockedSchedules,
  worker: string,
): Promise<TickEvent[]> {
  const stateOf = new Map(
    (
      await readSlotStates(
        tx,
        schedules.map(({ id }) => id),
      )
    ).map((state) => [state.id, state]),
  );
  const events: TickEvent[] = [];
  const fail = (row: ScheduleRow, code: string): void =>
    void events.push({ name: 'schedule.failed', worker, schedule: row.key, type: row.type, code });
  const ticked = schedules.map((row) => plan(row, stateOf.get(row.id)!, contractOf.get(row.type), nowMs, fail));

  for (const { row, decision, liveRunIds } of ticked) {
    if (!decision.isCancellingRunning) continue;
    for (const id of liveRunIds)
      await cancelRun(tx, id, { by: `schedule:${row.key}`, reason: 'Its next slot has come.' }, false);
  }
  const planned = ticked.flatMap(({ row, slots }) =>
    slots.flatMap((slot) => (slot.run === null ? [] : [{ slot, run: slot.run, schedule: row.key }])),
  );
  const inserted = await insertPlanned(
    tx,
    planned.map(({ run }) => run),
    planned.map(({ schedule }) => schedule),
    transactionId,
  );
  const runOf = new Map(planned.map(({ slot }, index) => [slot, inserted[index]!]));

  const decided: DecidedSlot[] = [];
  const advanced: AdvancedSchedule[] = [];
  for (const { row, decision, liveRunIds, slots } of ticked) {
    const firedIds: string[] = [];
    // one event for each reason: a long outage of a frequent schedule must not fill a disk with log lines
    const skipped = new Map<SkipReason, Extract<TickEvent, { name: 'slot.skipped' }>>();
    for (const slot of slots) {
      const run = runOf.get(slot);
      // its key was taken: the business event has its run already
      const isDuplicate = run !== undefined && run.status !== null;
      const outcome = isDuplicate ? 'skipped' : slot.outcome;
      const reason = isDuplicate ? 'duplicate' : slot.reason;
      const dueMs = slot.slotMs + row.splayOffsetMs;
      decided.push({
        schedule_id: row.id,
        slot_at: toIso(slot.slotMs),
        schedule_key: row.key,
        job_type: row.type,
        outcome,
        reason,
        run_id: run?.id ?? null,
        due_at: toIso(dueMs),
      });
      if (outcome === 'fired') firedIds.push(run!.id);
      const about = { worker, schedule: row.key, type: row.type, slotAt: new Date(slot.slotMs) };
      if (outcome === 'fired')
        events.push({ name: 'slot.fired', ...about, runId: run!.id, lateMs: Math.max(0, nowMs - dueMs) });
      else if (outcome === 'waiting') events.push({ name: 'slot.waiting' });
      else
        skipped.set(reason!, {
          name: 'slot.skipped',
          ...about,
          reason: reason!,
          count: (skipped.get(reason!)?.count ?? 0) + 1,
        });
    }
    events.push(...skipped.values());
    advanced.push({
      id: row.id,
      next_slot_at: decision.nextSlotMs === null ? null : toIso(decision.nextSlotMs),
      tick_at: decision.tickAtMs === null ? null : toIso(decision.tickAtMs),
      last_run_id: firedIds.at(-1) ?? null,
      run_ids: [...liveRunIds, ...firedIds].slice(-MAX_TRACKED_RUNS),
    });
  }
  const written = await writeSlots(tx, decided, advanced);
  if (written !== decided.length) throw new Error(`the ledger has ${decided.length - written} of these slots already`);
  return events;
}

function plan(
  row: ScheduleRow,
  state: SlotState,
  contract: JobContract | undefined,
  nowMs: number,
  fail: (row: ScheduleRow, code: string) => void,
): Ticked {
  const decision = decide(row, state, nowMs);
  if (decision === null) {
    fail(row, 'invalid_rule');
    return giveUp(row, state, nowMs);
  }
  const known = new Set(state.decidedMs);
  let lacksKey = false;
  const slots = decision.slots
    .filter(({ slotMs }) => !known.has(slotMs) || state.waitingMs.includes(slotMs))
    .map(({ slotMs, outcome, reason }): PlannedSlot => {
      if (outcome === 'wait') return { slotMs, run: null, outcome: 'waiting', reason: null };
      if (outcome === 'skip') return { slotMs, run: null, outcome: 'skipped', reason };
      const made = makeRun(row, contract, slotMs);
      if (typeof made !== 'string') return { slotMs, run: made, outcome: 'fired', reason: null };
      fail(row, made);
      lacksKey ||= made === 'key_missing';
      const isUnknown = made === 'unknown_job_type' || made === 'unknown_job_version';
      return { slotMs, run: null, outcome: 'skipped', reason: isUnknown ? made : 'invalid_payload' };
    });
  if (lacksKey) return postpone(row, state, nowMs);
  // when the new run cannot be made, the old one is not cancelled
  const isCancellingRunning = decision.isCancellingRunning && slots.some(({ run }) => run !== null);
  return { row, decision: { ...decision, isCancellingRunning }, liveRunIds: state.liveRunIds, slots };
}

/** null: this runtime cannot parse the rule. */
function decide(row: ScheduleRow, state: SlotState, nowMs: number): Decision | null {
  const { missed, overlap, splayOffsetMs, nextSlotMs } = row;
  try {
    const rule = ruleOf(row);
    return decideSlots(
      {
        rule,
        splayOffsetMs,
        nextSlotMs,
        missed,
        overlap,
        hasLiveRun: state.liveRunIds.length > 0,
        waitingMs: state.waitingMs,
      },
      nowMs,
    );
  } catch (error) {
    if (DueworkError.is(error)) return null;
    throw error;
  }
}

/** Nothing is decided: another ticker may have the key of the payload, or a deploy bring it. */
function postpone(row: ScheduleRow, state: SlotState, nowMs: number): Ticked {
  const { nextSlotMs } = row;
  return {
    row,
    decision: { slots: [], isCancellingRunning: false, nextSlotMs, tickAtMs: nowMs + FAILED_RETRY_MS },
    liveRunIds: state.liveRunIds,
    slots: [],
  };
}

/** The slot is skipped once, and the rule is tried again later. */
function giveUp(row: ScheduleRow, state: SlotState, nowMs: number): Ticked {
  const { nextSlotMs, splayOffsetMs } = row;
  const isDue = nextSlotMs !== null && nextSlotMs + splayOffsetMs <= nowMs && !state.decidedMs.includes(nextSlotMs);
  return {
    row,
    decision: { slots: [], isCancellingRunning: false, nextSlotMs, tickAtMs: nowMs + FAILED_RETRY_MS },
    liveRunIds: state.liveRunIds,
    slots: isDue ? [{ slotMs: nextSlotMs, run: null, outcome: 'skipped', reason: 'invalid_rule' }] : [],
  };
}

/** The code with which the run was refused. */
function makeRun(row: ScheduleRow, contract: JobContract | undefined, slotMs: number): NewRun | string {
  if (contract === undefined) return 'unknown_job_type';
  try {
    const run = makeNewRun(jobRequest(contract, slotPayload(row, contract, slotMs) as never));
    requireInline(run, 'The payload of a schedule');
    return run;
  } catch (error) {
    // a key function may throw anything, because the contract's author wrote it
    return DueworkError.is(error) ? error.code : 'invalid_payload';
  }
}
