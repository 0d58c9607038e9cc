/**
 * The schedules that a program's code declares, written at its deploy.
 *
 * A list belongs to a program, by its name. Programs share a database, and none of them knows the others' lists: each
 * removes what it has declared itself and no longer does, and a key that another one declares is refused. Of one
 * program the newest list counts, because old and new code run side by side in a deploy.
 */
import { createHash } from 'node:crypto';
import type { Catalog } from '@duework/contracts';
import { type Act, DueworkError, findContract, type Queryable, readNow, type Transactable } from '@duework/queue-core';
import { checkAct } from '@duework/queue-core/internals';
import { inTransaction } from '@duework/sql';
import { declareScheduleList, recordDeclaration } from './sql/declare-schedule-list.js';
import { deleteVanishedSchedules } from './sql/delete-schedules.js';
import { findScheduleRows } from './sql/find-schedules.js';
import { saveSchedules, type NewSchedule } from './sql/save-schedules.js';
import { checkDistinct } from './check-distinct.js';
import { checkSchedule, toNewSchedule, type ScheduleRequest } from './schedule-request.js';

/** What `registerSchedules` has changed. */
export interface RegisteredSchedules {
  /** The written keys; none if a newer list of the program was declared already. */
  readonly saved: readonly string[];
  /** The keys that the program declared earlier and no longer does: deleted. Their ledger stays. */
  readonly removed: readonly string[];
}

/** Whose list it is. */
export interface ScheduleList extends Act {
  /** The name of the program, 1 to 128 characters: no other one in this database declares schedules under it. */
  readonly program: string;
  /** Raised whenever the list changes. */
  readonly version: number;
  /** The worker that declares it, so that the doctor can tell of two programs of one name. */
  readonly worker?: string;
}

const MAX_BATCH = 1_000;

/**
 * Writes the schedules that a program declares, and deletes those that it declared before and no longer does. Once it
 * has declared a newer list, an older one changes nothing. A rule that has no due time any more does not fail a deploy.
 * Throws as `saveSchedule`, `unknown_job_type` for a contract that is not in the catalog, and
 * `schedule_of_another_program`, having written nothing.
 */
export async function registerSchedules(
  db: Transactable,
  catalog: Catalog,
  list: readonly ScheduleRequest[],
  { program, version, worker, ...act }: ScheduleList,
): Promise<RegisteredSchedules> {
  checkList(program, version);
  checkAct(act);
  checkDistinct(list);
  for (const { contract } of list) findContract(catalog, contract.type);
  const nowMs = await readNow(db);
  const rows = list.map((request) =>
    toNewSchedule(checkSchedule(request, nowMs), nowMs, { source: 'code', program, version, isFiringRequired: false }),
  );
  return inTransaction(db, async (tx) => {
    const newest = await declareScheduleList(tx, program, version);
    if (worker !== undefined) await recordDeclaration(tx, { worker, program, version, hash: hashList(rows) });
    // an old program that starts now would bring back what a newer one has deleted
    if (newest > version) return { saved: [], removed: [] };
    const saved: string[] = [];
    for (let i = 0; i < rows.length; i += MAX_BATCH)
      saved.push(...(await saveSchedules(tx, rows.slice(i, i + MAX_BATCH), act)));
    if (saved.length < rows.length) await refuseTaken(tx, rows, saved);
    const keys = rows.map(({ key }) => key);
    return { saved, removed: await deleteVanishedSchedules(tx, program, keys, act) };
  });
}

function checkList(program: string, version: number): void {
  if (typeof program !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(program))
    throw new DueworkError('invalid_option', {
      option: 'program',
      expected: '1 to 128 characters without spaces',
      value: program,
    });
  if (!Number.isInteger(version) || version < 1)
    throw new DueworkError('invalid_option', { option: 'version', expected: 'a whole number from 1', value: version });
}

/** Throws `schedule_of_another_program` for the first key that was not written. */
async function refuseTaken(tx: Queryable, rows: readonly NewSchedule[], saved: readonly string[]): Promise<never> {
  const written = new Set(saved);
  const { key, source_program: program } = rows.find((row) => !written.has(row.key))!;
  const [row] = await findScheduleRows(tx, { key, limit: 1 });
  throw new DueworkError('schedule_of_another_program', { key, program: program!, owner: row!.sourceProgram! });
}

/** Equal for lists with the same keys, types and rules. */
function hashList(rows: readonly NewSchedule[]): string {
  const rules = rows.map(({ key, job_type, cron, every_ms, at, time_zone }) =>
    JSON.stringify([key, job_type, cron, every_ms, at, time_zone]),
  );
  return createHash('sha256').update(rules.sort().join('\n')).digest('hex').slice(0, 16);
}
