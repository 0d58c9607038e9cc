import type { Catalog } from '@duework/contracts';
import { checkAct } from '@duework/queue-core/internals';
import { checkText, inTransaction, isRowId } from '@duework/sql';
import {
  type Act,
  DueworkError,
  enqueue,
  type EnqueuedJob,
  type PauseOptions,
  findContract,
  type Queryable,
  readNow,
  type Transactable,
} from '@duework/queue-core';
import { deleteSchedule as deleteRow } from './sql/delete-schedules.js';
import { findScheduleRows } from './sql/find-schedules.js';
import { findLatestDueTimeRows, findDueTimeRows, type DueTimeRow } from './sql/find-due-times.js';
import { pauseSchedule as writePause } from './sql/pause-schedule.js';
import { recordTrigger } from './sql/record-trigger.js';
import type { ScheduleRow } from './sql/schedule-row.js';
import { checkMoment } from './check-moment.js';
import { describePolicies } from './describe-policies.js';
import { previewSchedule, type SchedulePreview } from './preview-schedule.js';
import { getSchedule } from './save-schedule.js';
import { isScheduleKey } from './schedule-request.js';
import { ruleOf, toRuleInput, toSchedule, type Schedule, type DueTime } from './schedule.js';
import { decideDueTimes } from './due-times/decide-due-times.js';
import { duePayload } from './due-times/due-payload.js';

export interface SchedulePage {
  readonly schedules: readonly Schedule[];
  /** Pass it as `cursor` for the next page; null: this was the last page. */
  readonly nextCursor: string | null;
}

export interface DueTimePage {
  readonly dueTimes: readonly DueTime[];
  readonly nextCursor: string | null;
}

const MAX_LIMIT = 1_000;

/**
 * A page of schedules, sorted by key, at most `limit` of them (1 to 1,000; 100 unless given). Throws `invalid_option`.
 */
export async function findSchedules(
  db: Queryable,
  filter: {
    type?: string | undefined;
    source?: 'code' | 'api' | undefined;
    isPaused?: boolean | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  } = {},
): Promise<SchedulePage> {
  const { cursor, limit = 100, ...rest } = filter;
  checkLimit(limit);
  checkText('type', rest.type ?? null, 63);
  checkText('cursor', cursor ?? null, 200);
  const rows = await findScheduleRows(db, { ...rest, afterKey: cursor, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { schedules: page.map(toSchedule), nextCursor: rows.length > limit ? page.at(-1)!.key : null };
}

async function findRow(db: Queryable, key: string): Promise<ScheduleRow> {
  const [row] = isScheduleKey(key) ? await findScheduleRows(db, { key, limit: 1 }) : [];
  if (row === undefined) throw new DueworkError('schedule_not_found', { key });
  return row;
}

/**
 * The next `count` due times of a saved schedule, with its zone, its splay and its policies in words. Throws
 * `schedule_not_found`.
 */
export async function previewSavedSchedule(
  db: Queryable,
  key: string,
  count?: number,
): Promise<SchedulePreview & { readonly policy: string }> {
  const row = await findRow(db, key);
  const preview = previewSchedule(toRuleInput(row), {
    after: new Date(await readNow(db)),
    key,
    splayMs: row.splayMs,
    ...(count === undefined ? {} : { count }),
  });
  return { ...preview, policy: describePolicies(row.missed, row.overlap) };
}

/**
 * Pauses a schedule: it fires nothing until it is resumed, or `until` has passed. Throws `schedule_not_found`,
 * `invalid_option`.
 */
export async function pauseSchedule(
  db: Queryable,
  key: string,
  { until, ...act }: PauseOptions = {},
): Promise<Schedule> {
  checkAct(act);
  checkMoment('until', until);
  const pause = { isPaused: true, until: until?.toISOString() ?? null, act };
  if (!isScheduleKey(key) || !(await writePause(db, key, pause))) throw new DueworkError('schedule_not_found', { key });
  return getSchedule(db, key);
}

/** A schedule that goes on, with what becomes of the due times that came while it was paused. */
export interface ResumedSchedule extends Schedule {
  readonly meanwhile: {
    /** How many are skipped, by its policy, and the newest 10 of them, the newest first. */
    readonly skipCount: number;
    readonly skips: readonly Date[];
    /** How many run now, or as soon as a run before them has ended. */
    readonly fireCount: number;
    /** The first due time that is still to come; null: the rule has none any more. */
    readonly nextDueAt: Date | null;
  };
}

const MAX_SKIPS = 10;

/**
 * Resumes a schedule. Due times during the pause count as missed, and its policy decides; likewise when a pause ends
 * automatically. Throws `schedule_not_found`.
 */
export async function resumeSchedule(db: Queryable, key: string, act: Act = {}): Promise<ResumedSchedule> {
  checkAct(act);
  const resumed = { isPaused: false, until: null, act };
  // before it goes on, because a worker decides at once
  const row = await findRow(db, key);
  const meanwhile = decideMeanwhile(row, await readNow(db));
  if (!(await writePause(db, key, resumed))) throw new DueworkError('schedule_not_found', { key });
  return { ...(await getSchedule(db, key)), meanwhile };
}

/** As the next tick decides, as far as it finds no live run. */
function decideMeanwhile(row: ScheduleRow, nowMs: number): ResumedSchedule['meanwhile'] {
  const { dueTimes, nextDueMs } = decideDueTimes(
    { ...row, rule: ruleOf(row), hasLiveRun: false, waitingMs: [] },
    nowMs,
  );
  const skipped = dueTimes.filter(({ outcome }) => outcome === 'skip').map(({ dueMs }) => new Date(dueMs));
  return {
    skipCount: skipped.length,
    skips: skipped.slice(-MAX_SKIPS).reverse(),
    fireCount: dueTimes.length - skipped.length,
    nextDueAt: nextDueMs === null ? null : new Date(nextDueMs),
  };
}

/** Deletes a schedule; its runs and its ledger stay. Throws `schedule_not_found`. */
export async function deleteSchedule(db: Queryable, key: string, act: Act = {}): Promise<void> {
  checkAct(act);
  if (!isScheduleKey(key) || !(await deleteRow(db, key, act))) throw new DueworkError('schedule_not_found', { key });
}

/** `dueTime`: a due time of the schedule that was skipped, which is run now. */
export interface TriggerOptions extends Act {
  readonly dueTime?: Date | undefined;
}

/**
 * Makes one run now, paused or not: the next due time still fires. The payload is made as if now were the due time; the
 * run has no idempotency key, so it neither finds a due time's run nor prevents one. With `dueTime` it is the run of
 * that due time, with its payload and its key: the answer is `deduplicated` where the key has a run, and the due time
 * stays skipped. Throws `schedule_not_found`, `invalid_option` for a due time that was not skipped, `unknown_job_type`,
 * `unknown_job_version`, and what `enqueue` throws.
 */
export async function triggerSchedule(
  db: Transactable,
  catalog: Catalog,
  key: string,
  { dueTime, ...act }: TriggerOptions = {},
): Promise<EnqueuedJob> {
  checkAct(act);
  checkMoment('dueTime', dueTime);
  const row = await findRow(db, key);
  const contract = findContract(catalog, row.type);
  const payload = duePayload(row, contract, dueTime?.getTime() ?? (await readNow(db)));
  return inTransaction(db, async (tx) => {
    const job = await enqueue(tx, contract, payload as never, dueTime === undefined ? { idempotencyKey: null } : {});
    if (job.isDeduplicated) return job;
    if (await recordTrigger(tx, row.id, job.id, { act, dueAt: dueTime?.toISOString() ?? null })) return job;
    const expected = 'a due time of the schedule that was skipped';
    throw new DueworkError('invalid_option', { option: 'dueTime', expected, value: dueTime });
  });
}

/**
 * The ledger, newest due times first, `from` included and `to` not; each with the state of its run. Throws
 * `invalid_option`, `invalid_cursor`.
 */
export async function findDueTimes(
  db: Queryable,
  filter: {
    scheduleKey?: string | undefined;
    type?: string | undefined;
    /** The job that a due time has made. */
    runId?: string | undefined;
    outcome?: DueTime['outcome'] | undefined;
    from?: Date | undefined;
    to?: Date | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  } = {},
): Promise<DueTimePage> {
  const { from, to, cursor, limit = 100, ...rest } = filter;
  checkLimit(limit);
  checkText('type', rest.type ?? null, 63);
  checkText('scheduleKey', rest.scheduleKey ?? null, 200);
  if (rest.runId !== undefined && !isRowId(rest.runId))
    throw new DueworkError('invalid_option', { option: 'runId', expected: 'the id of a job', value: rest.runId });
  checkMoment('from', from);
  checkMoment('to', to);
  const before = cursor === undefined ? undefined : readCursor(cursor);
  const rows = await findDueTimeRows(db, {
    ...rest,
    from: from?.toISOString(),
    to: to?.toISOString(),
    before,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    dueTimes: page.map(toDueTime),
    nextCursor: rows.length > limit ? `${last!.dueAtText}_${last!.scheduleId}` : null,
  };
}

/** The most lines that `findLatestDueTimes` looks up. */
const MAX_LATEST = 2_000;

/**
 * The newest `each` due times of some schedules by their keys, the newest first, each with what became of its run; none
 * of a key without any. A schedule that comes seldom has as many as one that comes each minute. Throws `invalid_option`
 * for more than 2,000 in all.
 */
export async function findLatestDueTimes(
  db: Queryable,
  keys: readonly string[],
  each: number,
): Promise<ReadonlyMap<string, readonly DueTime[]>> {
  if (!Number.isInteger(each) || each < 1 || each * keys.length > MAX_LATEST)
    throw new DueworkError('invalid_option', {
      option: 'each',
      expected: `a whole number from 1, and at most ${MAX_LATEST} due times in all`,
      value: each,
    });
  const latest = new Map<string, DueTime[]>(keys.map((key) => [key, []]));
  if (keys.length === 0) return latest;
  for (const row of await findLatestDueTimeRows(db, keys, each)) latest.get(row.scheduleKey)!.push(toDueTime(row));
  return latest;
}

function toDueTime({
  scheduleId: _scheduleId,
  dueAtText: _dueAtText,
  dueMs,
  firesMs,
  decidedMs,
  reason,
  pause,
  ...same
}: DueTimeRow): DueTime {
  return {
    ...same,
    reason: reason as DueTime['reason'],
    pause: pause && { since: new Date(pause.sinceMs), by: pause.by, reason: pause.reason },
    dueAt: new Date(dueMs),
    firesAt: new Date(firesMs),
    decidedAt: new Date(decidedMs),
  };
}

function readCursor(cursor: string): { dueAt: string; scheduleId: string } {
  const [, dueAt, scheduleId] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([1-9]\d{0,17})$/.exec(typeof cursor === 'string' ? cursor : '') ?? [];
  // Date.parse would take February 30 for a day in March
  if (dueAt === undefined || scheduleId === undefined || !isSameMoment(dueAt))
    throw new DueworkError('invalid_cursor', { cursor });
  return { dueAt, scheduleId };
}

function isSameMoment(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 19) === text.slice(0, 19) && !text.startsWith('0000');
}

function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new DueworkError('invalid_option', {
      option: 'limit',
      expected: `a whole number from 1 to ${MAX_LIMIT}`,
      value: limit,
    });
  }
}
