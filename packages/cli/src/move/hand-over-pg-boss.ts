/**
 * Hands the schedules of pg-boss over, and back, each in one transaction: it is deleted on one side and made on the
 * other. A due time that is due about now is taken in the way in which pg-boss takes it, so that it has one job, there
 * or here.
 */
import type { JobContract } from '@duework/contracts';
import { enqueue, readNow, type Act, type Transactable } from '@duework/queue-core';
import { createSchedule, deleteSchedule, findSchedules, type Schedule } from '@duework/schedules';
import type { RawClient, Sql } from '@duework/sql';
import { handOne, Undone, type HandedOver } from './hand-over.js';
import type { ContractOf } from './type-names.js';
import { dueTimesAbout } from './due-times-about.js';
import {
  insertPgBossSchedule,
  listPgBossSchedules,
  removePgBossSchedule,
  takePgBossDueTime,
  type PgBossSchedule,
} from './sql/pg-boss-schedules.js';

/** Hands all of them over whose names have a contract. */
export async function handOverPgBoss(
  db: Transactable,
  schema: Sql,
  contractOf: ContractOf,
  isDry: boolean,
): Promise<readonly HandedOver[]> {
  const all: HandedOver[] = [];
  for (const schedule of await listPgBossSchedules(db, schema)) {
    const what = describe(schedule);
    const contract = contractOf(schedule.name);
    if (contract === null) {
      all.push({ ...what, key: null, stays: 'no contract' });
      continue;
    }
    const key = [contract.type, schedule.key].filter(Boolean).join(':');
    all.push(await handOne(db, { ...what, key }, isDry, (tx) => handOver(tx, schema, contract, schedule, key)));
  }
  return all;
}

/** Those of a database of its own: nothing can be deleted there and made here in one transaction. */
export const tellPgBossSchedules = async (db: Transactable, schema: Sql): Promise<readonly HandedOver[]> =>
  (await listPgBossSchedules(db, schema)).map((schedule) => ({
    ...describe(schedule),
    key: null,
    stays: 'declare it here, then boss.unschedule it there, between two of its due times',
  }));

const describe = ({ name, key, cron, timeZone }: PgBossSchedule): { readonly name: string; readonly rule: string } => ({
  name: key === '' ? name : `${name} ${key}`,
  rule: `${cron} (${timeZone ?? 'UTC'})`,
});

async function handOver(
  tx: RawClient,
  schema: Sql,
  contract: JobContract,
  schedule: PgBossSchedule,
  key: string,
): Promise<void> {
  const { cron, timeZone: zone, data } = schedule;
  const timeZone = zone ?? 'UTC';
  refuseSeconds(cron);
  const payload = ((data === null ? null : JSON.parse(data)) ?? contract.defaultPayload ?? {}) as never;
  // somebody else has just done it
  if (!(await removePgBossSchedule(tx, schema, schedule))) return;
  const { nextDueAt } = await createSchedule(tx, contract, { key, cron, timeZone, payload, overlap: 'allow' });
  for (const dueTime of dueTimesAbout(cron, timeZone, await readNow(tx))) {
    const isTaken = await takePgBossDueTime(tx, schema, singletonKeys(schedule), dueTime);
    const isOurs = nextDueAt !== null && dueTime >= nextDueAt;
    if (isOurs && !isTaken) throw new Undone('pg-boss fires it at this moment: run this again');
    if (isTaken && !isOurs) await enqueue(tx, contract, payload, { runAt: dueTime });
  }
}

/** pg-boss takes due times by the minute. */
function refuseSeconds(cron: string): void {
  if (cron.trim().split(/\s+/).length === 6)
    throw new Undone(
      'a cron rule with seconds, which pg-boss fires once a minute at most: save the rule that you mean',
    );
}

/** As releases of pg-boss write them: of some the name's underscores are escaped. */
const singletonKeys = ({ name, key }: Pick<PgBossSchedule, 'name' | 'key'>): readonly string[] => [
  ...new Set([`${name.replaceAll('_', '\\_')}__${key}`, `${name}__${key}`]),
];

/** Hands the schedules of a type back, of those that no code declares, whose keys are as the way here has made them. */
export async function handBackPgBoss(
  db: Transactable,
  schema: Sql,
  name: string,
  { type }: JobContract,
  act: Act,
): Promise<readonly HandedOver[]> {
  const all: HandedOver[] = [];
  const { schedules } = await findSchedules(db, { type, source: 'api', limit: 1_000 });
  for (const schedule of schedules) {
    const { key, cron, timeZone } = schedule;
    if (cron === null || (key !== type && !key.startsWith(`${type}:`))) continue;
    const there = { name, key: key.slice(type.length + 1), cron, timeZone, data: JSON.stringify(schedule.payload) };
    all.push(await handOne(db, { ...describe(there), key }, false, (tx) => handBack(tx, schema, schedule, there, act)));
  }
  return all;
}

async function handBack(
  tx: RawClient,
  schema: Sql,
  { key, nextDueAt }: Schedule,
  there: PgBossSchedule,
  act: Act,
): Promise<void> {
  refuseSeconds(there.cron);
  await deleteSchedule(tx, key, act);
  if (!(await insertPgBossSchedule(tx, schema, there)))
    throw new Undone('pg-boss has a schedule of that name and key, or no such queue');
  // what was fired here is fired
  for (const dueTime of dueTimesAbout(there.cron, there.timeZone ?? 'UTC', await readNow(tx)))
    if (nextDueAt === null || dueTime < nextDueAt) await takePgBossDueTime(tx, schema, singletonKeys(there), dueTime);
}
