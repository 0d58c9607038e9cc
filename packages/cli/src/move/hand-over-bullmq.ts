/**
 * Hands the job schedulers of BullMQ over. Redis and a database have no transaction in common: a scheduler is first
 * taken out of its queue, which remembers it; then made a schedule here; then what is remembered says that it has
 * arrived. Who is killed in between leaves one on its way, and the next call goes on with it, with the due times that
 * have passed. The due time of the job that it has made last is that job's, wherever it is by then: the schedule begins
 * behind it.
 */
import type { JobContract } from '@duework/contracts';
import { enqueue, type Transactable } from '@duework/queue-core';
import { createSchedule, findSchedules, previewSchedule, type RuleInput } from '@duework/schedules';
import type { RawClient } from '@duework/sql';
import type { BullmqScheduler, Schedulers } from './bullmq-package.js';
import { handOne, Undone, type HandedOver } from './hand-over.js';

const MOST_DUE_TIMES = 1_000;

/** Hands all of them over whose jobs have a contract. `isDry`: what would become of them, and nothing is written. */
export async function handOverBullmq(
  db: Transactable,
  schedulers: Schedulers,
  contracts: readonly JobContract[],
  isDry: boolean,
): Promise<readonly HandedOver[]> {
  const all: HandedOver[] = [];
  for (const scheduler of await schedulers.list()) {
    const what = describe(scheduler);
    const contract = contracts.find(({ type }) => type === scheduler.name);
    if (contract === undefined) {
      all.push({ ...what, key: null, stays: 'no contract' });
      continue;
    }
    const key = toKey(contract, scheduler.id);
    const hand = (one: BullmqScheduler, dry: boolean): Promise<HandedOver> =>
      handOne(db, { ...what, key }, dry, (tx) => makeSchedule(tx, contract, key, one));
    // what cannot be made here is not taken there
    const tried = await hand(scheduler, true);
    const taken = isDry || tried.stays !== null ? null : await takeOne(schedulers, scheduler);
    const told = taken === null ? tried : await hand(taken, false);
    if (taken !== null && told.stays === null) await schedulers.noteArrival(taken);
    all.push({ ...told, without: toldLosses(scheduler) });
  }
  return all;
}

const takeOne = async (schedulers: Schedulers, scheduler: BullmqScheduler): Promise<BullmqScheduler | null> =>
  scheduler.takenAtMs === null ? schedulers.take(scheduler) : scheduler;

/** The key of the schedule that a scheduler becomes. */
export const toKey = ({ type }: JobContract, id: string): string => (id === type ? type : `${type}:${id}`);

/** How a scheduler is told. */
export const describe = ({
  queue,
  id,
  pattern,
  everyMs,
  timeZone,
}: Pick<BullmqScheduler, 'queue' | 'id' | 'pattern' | 'everyMs' | 'timeZone'>): Pick<HandedOver, 'name' | 'rule'> => ({
  name: `${queue} ${id}`,
  rule: pattern === null ? `every ${everyMs} ms` : `${pattern}${timeZone === null ? '' : ` (${timeZone})`}`,
});

/** Options that have no meaning for what a schedule makes, or are told elsewhere. */
const SILENT = new Set(['repeat', 'removeOnComplete', 'removeOnFail', 'telemetry', 'tm', 'omc']);

/** The options of its jobs that a schedule does not give to its runs: those have the contract's. */
function toldLosses({ options }: BullmqScheduler): string | null {
  const lost = Object.keys(options).filter((name) => !SILENT.has(name));
  return lost.length === 0 ? null : lost.sort().join(', ');
}

async function makeSchedule(
  tx: RawClient,
  contract: JobContract,
  key: string,
  scheduler: BullmqScheduler,
): Promise<void> {
  const { data, dueMs, takenAtMs } = scheduler;
  if (scheduler.limit !== null)
    throw new Undone('it ends after so many jobs (limit): let BullMQ end it, or declare a schedule with endsAt');
  const rule = toRule(scheduler);
  // it has arrived, and its call was killed before it could note that
  if (takenAtMs !== null && (await isThere(tx, contract, key))) return;
  const isEmpty = data === null || Object.keys(data as object).length === 0;
  const payload = (isEmpty ? (contract.defaultPayload ?? {}) : data) as never;
  const { nextDueAt } = await createSchedule(tx, contract, { ...rule, key, payload, overlap: 'allow' });
  if (takenAtMs === null) return;
  const after = new Date(Math.max(dueMs, takenAtMs));
  for (const { dueAt } of previewSchedule(rule, { after, count: MOST_DUE_TIMES }).dueTimes)
    if (nextDueAt !== null && dueAt < nextDueAt) await enqueue(tx, contract, payload, { runAt: dueAt });
}

async function isThere(tx: RawClient, { type }: JobContract, key: string): Promise<boolean> {
  const { schedules } = await findSchedules(tx, { type, limit: MOST_DUE_TIMES });
  return schedules.some((schedule) => schedule.key === key);
}

function toRule(scheduler: BullmqScheduler): RuleInput {
  const { pattern, everyMs, endsAtMs, dueMs } = scheduler;
  const span = endsAtMs === null ? {} : { endsAt: new Date(endsAtMs + 1) };
  if (pattern === null) return { every: `${everyMs!}ms`, startsAt: new Date(dueMs + everyMs!), ...span };
  // BullMQ's patterns may begin with seconds
  const cron = pattern.trim().replace(/^0\s+(?=(\S+\s+){4}\S+$)/, '');
  return { cron, timeZone: zoneOf(scheduler, cron), startsAt: new Date(dueMs + 1), ...span };
}

/**
 * Without one of its own it has that of the machine on which it was made: the one in which its last due time is one.
 */
function zoneOf({ timeZone, dueMs }: BullmqScheduler, cron: string): string {
  if (timeZone !== null) return timeZone;
  for (const zone of ['UTC', Intl.DateTimeFormat().resolvedOptions().timeZone]) {
    const [dueTime] = previewSchedule({ cron, timeZone: zone }, { after: new Date(dueMs - 1), count: 1 }).dueTimes;
    if (dueTime?.dueAt.getTime() === dueMs) return zone;
  }
  throw new Undone('its time zone is unknown: give it a tz, or let it fire once');
}
