import type { Catalog, JobContract } from '@duework/contracts';
import { type Act, DueworkError, findContract, type Queryable, readNow, type Transactable } from '@duework/queue-core';
import { declareScheduleList } from './sql/declare-schedule-list.js';
import { deleteVanishedSchedules } from './sql/delete-schedules.js';
import { findScheduleRows } from './sql/find-schedules.js';
import { saveSchedules as writeSchedules, type NewSchedule } from './sql/save-schedules.js';
import { checkAct, inTransaction } from '@duework/queue-core/internals';
import { toSchedule, type Schedule } from './schedule.js';
import {
  checkSchedule,
  isScheduleKey,
  scheduleRequest,
  toNewSchedule,
  type ScheduleOptions,
  type ScheduleRequest,
} from './schedule-request.js';

/** What `registerSchedules` has changed. */
export interface RegisteredSchedules {
  /** The keys that were written; none where a newer list has been declared already. */
  readonly saved: readonly string[];
  /** The keys that were declared earlier and no longer are: deleted. Their ledger stays. */
  readonly removed: readonly string[];
}

const MAX_BATCH = 1_000;

/**
 * Makes a schedule, or edits the one that has the key, through any client or transaction. A changed rule counts from
 * now: its next slot is the first after now on the database's clock; any other edit leaves the next slot as it was.
 * Throws `DueworkError`, having written nothing: see `checkSchedule`, and `rule_never_fires`.
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

/**
 * Writes the schedules that the code declares, at its deploy, and deletes those that it declared before and no longer
 * does. `version` is raised whenever the list changes: once a newer list was declared, an older one changes nothing,
 * because old and new programs run side by side. A rule that has no slot any more does not fail a deploy.
 * Throws as `saveSchedule`, and `unknown_job_type` for a contract that is not in the catalog.
 */
export async function registerSchedules(
  db: Transactable,
  catalog: Catalog,
  list: readonly ScheduleRequest[],
  { version, ...act }: Act & { version: number },
): Promise<RegisteredSchedules> {
  if (!Number.isInteger(version) || version < 1)
    throw new DueworkError('invalid_option', { option: 'version', expected: 'a whole number from 1', value: version });
  checkAct(act);
  checkDistinct(list);
  for (const { contract } of list) findContract(catalog, contract.type);
  const nowMs = await readNow(db);
  const rows = list.map((request) =>
    toNewSchedule(checkSchedule(request, nowMs), nowMs, { source: 'code', version, isFiringRequired: false }),
  );
  return inTransaction(db, async (tx) => {
    // an old program that starts now would bring back what a newer one has deleted
    if ((await declareScheduleList(tx, version)) > version) return { saved: [], removed: [] };
    const saved: string[] = [];
    for (let i = 0; i < rows.length; i += MAX_BATCH)
      saved.push(...(await writeSchedules(tx, rows.slice(i, i + MAX_BATCH), act)));
    return {
      saved,
      removed: await deleteVanishedSchedules(
        tx,
        rows.map((row) => row.key),
        act,
      ),
    };
  });
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
    toNewSchedule(checkSchedule(request, nowMs), nowMs, { source: 'api', version: null, isFiringRequired: true }),
  );
}

/** One statement cannot write a row twice, so a key may occur once. */
function checkDistinct(requests: readonly ScheduleRequest[]): void {
  const keys = new Set<string>();
  for (const { options } of requests) {
    if (keys.has(options.key))
      throw new DueworkError('invalid_option', { option: 'key', expected: 'used once in a list', value: options.key });
    keys.add(options.key);
  }
}
