import type { JobContract } from '@duework/contracts';
import { type Act, DueworkError, type Queryable, readNow } from '@duework/queue-core';
import { findScheduleRows } from './sql/find-schedules.js';
import { saveSchedules as writeSchedules, type NewSchedule } from './sql/save-schedules.js';
import { checkAct } from '@duework/queue-core/internals';
import { checkDistinct } from './check-distinct.js';
import { toSchedule, type Schedule } from './schedule.js';
import {
  checkSchedule,
  isScheduleKey,
  scheduleRequest,
  toNewSchedule,
  type ScheduleOptions,
  type ScheduleRequest,
} from './schedule-request.js';

const MAX_BATCH = 1_000;

/**
 * Makes a schedule, or edits the one that has the key, through any client or transaction. A changed rule counts from
 * now: its next due time is the first after now on the database's clock; any other edit leaves the next due time as it
 * was. Throws `DueworkError`, having written nothing: see `checkSchedule`, and `rule_never_fires`.
 */
export async function saveSchedule<C extends JobContract>(
  db: Queryable,
  contract: C,
  options: ScheduleOptions<C>,
  act: Act = {},
): Promise<Schedule> {
  await saveSchedules(db, [scheduleRequest(contract, options)], act);
  return getSchedule(db, options.key);
}

/**
 * Makes a schedule as `saveSchedule` does, and never edits one: throws `schedule_key_taken` where there is a schedule with
 * that key, also one that was made a moment ago.
 */
export async function createSchedule<C extends JobContract>(
  db: Queryable,
  contract: C,
  options: ScheduleOptions<C>,
  act: Act = {},
): Promise<Schedule> {
  checkAct(act);
  const [row] = await toRows(db, [scheduleRequest(contract, options)]);
  if ((await writeSchedules(db, [row!], act, true)).length === 0)
    throw new DueworkError('schedule_key_taken', { key: options.key });
  return getSchedule(db, options.key);
}

/** Saves many schedules, in one statement for every 1,000. Throws as `saveSchedule`, before anything is written. */
export async function saveSchedules(db: Queryable, requests: readonly ScheduleRequest[], act: Act = {}): Promise<void> {
  checkAct(act);
  checkDistinct(requests);
  const rows = await toRows(db, requests);
  for (let i = 0; i < rows.length; i += MAX_BATCH) await writeSchedules(db, rows.slice(i, i + MAX_BATCH), act);
}

/** One schedule. Throws `schedule_not_found`. */
export async function getSchedule(db: Queryable, key: string): Promise<Schedule> {
  const [row] = isScheduleKey(key) ? await findScheduleRows(db, { key, limit: 1 }) : [];
  if (row === undefined) throw new DueworkError('schedule_not_found', { key });
  return toSchedule(row);
}

/** As rows of the API, whose rules count from the database's now. */
async function toRows(db: Queryable, requests: readonly ScheduleRequest[]): Promise<readonly NewSchedule[]> {
  const nowMs = await readNow(db);
  return requests.map((request) =>
    toNewSchedule(checkSchedule(request, nowMs), nowMs, {
      source: 'api',
      program: null,
      version: null,
      isFiringRequired: true,
    }),
  );
}
