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
import { readDueTimeStates, type DueTimeState } from '../sql/read-due-time-states.js';
import type { ScheduleRow } from '../sql/schedule-row.js';
import { writeDueTimes, type AdvancedSchedule, type DecidedDueTime } from '../sql/write-due-times.js';
import { decideDueTimes, type Decision } from '../due-times/decide-due-times.js';
import { ruleOf } from '../schedule.js';
import { toIso } from '../schedule-request.js';
import { duePayload } from '../due-times/due-payload.js';
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
  readonly dueTimes: PlannedDueTime[];
}

interface PlannedDueTime {
  readonly dueMs: number;
  readonly run: NewRun | null;
  readonly outcome: 'fired' | 'skipped' | 'waiting';
  readonly reason: SkipReason | null;
}

/** Writes the runs of due times, and wakes the workers of their queues when the tick is committed. */
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
      await readDueTimeStates(
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
      await cancelRun(tx, id, { by: `schedule:${row.key}`, reason: 'Its next due time has come.' }, false);
  }
  const planned = ticked.flatMap(({ row, dueTimes }) =>
    dueTimes.flatMap((dueTime) => (dueTime.run === null ? [] : [{ dueTime, run: dueTime.run, schedule: row.key }])),
  );
  const inserted = await insertPlanned(
    tx,
    planned.map(({ run }) => run),
    planned.map(({ schedule }) => schedule),
    transactionId,
  );
  const runOf = new Map(planned.map(({ dueTime }, index) => [dueTime, inserted[index]!]));

  const decided: DecidedDueTime[] = [];
  const advanced: AdvancedSchedule[] = [];
  for (const { row, decision, liveRunIds, dueTimes } of ticked) {
    const firedIds: string[] = [];
    // one event for each reason: a long outage of a frequent schedule must not fill a disk with log lines
    const skipped = new Map<SkipReason, Extract<TickEvent, { name: 'schedule.skipped' }>>();
    for (const dueTime of dueTimes) {
      const run = runOf.get(dueTime);
      // its key was taken: the business event has its run already
      const isDuplicate = run !== undefined && run.status !== null;
      const outcome = isDuplicate ? 'skipped' : dueTime.outcome;
      const reason = isDuplicate ? 'duplicate' : dueTime.reason;
      const firesMs = dueTime.dueMs + row.splayOffsetMs;
      decided.push({
        schedule_id: row.id,
        due_at: toIso(dueTime.dueMs),
        schedule_key: row.key,
        job_type: row.type,
        outcome,
        reason,
        run_id: run?.id ?? null,
        fires_at: toIso(firesMs),
      });
      if (outcome === 'fired') firedIds.push(run!.id);
      const about = { worker, schedule: row.key, type: row.type, dueAt: new Date(dueTime.dueMs) };
      if (outcome === 'fired')
        events.push({ name: 'schedule.fired', ...about, runId: run!.id, lateMs: Math.max(0, nowMs - firesMs) });
      else if (outcome === 'waiting') events.push({ name: 'schedule.waiting' });
      else
        skipped.set(reason!, {
          name: 'schedule.skipped',
          ...about,
          reason: reason!,
          count: (skipped.get(reason!)?.count ?? 0) + 1,
        });
    }
    events.push(...skipped.values());
    advanced.push({
      id: row.id,
      next_due_at: decision.nextDueMs === null ? null : toIso(decision.nextDueMs),
      tick_at: decision.tickAtMs === null ? null : toIso(decision.tickAtMs),
      last_run_id: firedIds.at(-1) ?? null,
      run_ids: [...liveRunIds, ...firedIds].slice(-MAX_TRACKED_RUNS),
    });
  }
  const written = await writeDueTimes(tx, decided, advanced);
  if (written !== decided.length)
    throw new Error(`the ledger has ${decided.length - written} of these due times already`);
  return events;
}

function plan(
  row: ScheduleRow,
  state: DueTimeState,
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
  const dueTimes = decision.dueTimes
    .filter(({ dueMs }) => !known.has(dueMs) || state.waitingMs.includes(dueMs))
    .map(({ dueMs, outcome, reason }): PlannedDueTime => {
      if (outcome === 'wait') return { dueMs, run: null, outcome: 'waiting', reason: null };
      if (outcome === 'skip') return { dueMs, run: null, outcome: 'skipped', reason };
      const made = makeRun(row, contract, dueMs);
      if (typeof made !== 'string') return { dueMs, run: made, outcome: 'fired', reason: null };
      fail(row, made);
      lacksKey ||= made === 'key_missing';
      const isUnknown = made === 'unknown_job_type' || made === 'unknown_job_version';
      return { dueMs, run: null, outcome: 'skipped', reason: isUnknown ? made : 'invalid_payload' };
    });
  if (lacksKey) return postpone(row, state, nowMs);
  // when the new run cannot be made, the old one is not cancelled
  const isCancellingRunning = decision.isCancellingRunning && dueTimes.some(({ run }) => run !== null);
  return { row, decision: { ...decision, isCancellingRunning }, liveRunIds: state.liveRunIds, dueTimes };
}

/** null: this runtime cannot parse the rule. */
function decide(row: ScheduleRow, state: DueTimeState, nowMs: number): Decision | null {
  const { missed, overlap, splayOffsetMs, nextDueMs } = row;
  try {
    const rule = ruleOf(row);
    return decideDueTimes(
      {
        rule,
        splayOffsetMs,
        nextDueMs,
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
function postpone(row: ScheduleRow, state: DueTimeState, nowMs: number): Ticked {
  const { nextDueMs } = row;
  return {
    row,
    decision: { dueTimes: [], isCancellingRunning: false, nextDueMs, tickAtMs: nowMs + FAILED_RETRY_MS },
    liveRunIds: state.liveRunIds,
    dueTimes: [],
  };
}

/** The due time is skipped once, and the rule is tried again later. */
function giveUp(row: ScheduleRow, state: DueTimeState, nowMs: number): Ticked {
  const { nextDueMs, splayOffsetMs } = row;
  const isDue = nextDueMs !== null && nextDueMs + splayOffsetMs <= nowMs && !state.decidedMs.includes(nextDueMs);
  return {
    row,
    decision: { dueTimes: [], isCancellingRunning: false, nextDueMs, tickAtMs: nowMs + FAILED_RETRY_MS },
    liveRunIds: state.liveRunIds,
    dueTimes: isDue ? [{ dueMs: nextDueMs, run: null, outcome: 'skipped', reason: 'invalid_rule' }] : [],
  };
}

/** The code with which the run was refused. */
function makeRun(row: ScheduleRow, contract: JobContract | undefined, dueMs: number): NewRun | string {
  if (contract === undefined) return 'unknown_job_type';
  try {
    const run = makeNewRun(jobRequest(contract, duePayload(row, contract, dueMs) as never));
    requireInline(run, 'The payload of a schedule');
    return run;
  } catch (error) {
    // a key function may throw anything, because the contract's author wrote it
    return DueworkError.is(error) ? error.code : 'invalid_payload';
  }
}
