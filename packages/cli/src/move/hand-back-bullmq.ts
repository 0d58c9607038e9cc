/**
 * Hands schedules back to BullMQ, as job schedulers. A schedule is first paused here, under a reason by which the next
 * call knows it; then put into its queue; then deleted here, with runs for the due times that were due until then. Who
 * is killed in between leaves one that is paused, and the next call goes on with it.
 */
import type { JobContract } from '@duework/contracts';
import { enqueue, readNow, unsealPayload, type Act, type Transactable } from '@duework/queue-core';
import {
  deleteSchedule,
  findSchedules,
  getSchedule,
  pauseSchedule,
  previewSchedule,
  type RuleInput,
  type Schedule,
} from '@duework/schedules';
import { inTransaction, type RawClient } from '@duework/sql';
import { DueworkError } from '@duework/sql/errors';
import type { Schedulers } from './bullmq-package.js';
import type { HandedOver } from './hand-over.js';
import { describe, toKey } from './hand-over-bullmq.js';

const REASON = 'It moves back to BullMQ.';
/** The first due time there is so far away that it is not over when BullMQ hears of it. */
const AHEAD_MS = 5_000;
const MOST_DUE_TIMES = 1_000;

/** Hands the schedules of a type back that no code declares, and whose keys are as the way here has made them. */
export async function handBackBullmq(
  db: Transactable,
  schedulers: Schedulers,
  contract: JobContract,
  act: Act,
): Promise<readonly HandedOver[]> {
  const all: HandedOver[] = [];
  const { type } = contract;
  const { schedules } = await findSchedules(db, { type, source: 'api', limit: MOST_DUE_TIMES });
  for (const schedule of schedules) {
    const { key, at } = schedule;
    if (at !== null || (key !== type && !key.startsWith(`${type}:`))) continue;
    const id = key === type ? type : key.slice(type.length + 1);
    if (toKey(contract, id) !== key) continue;
    const was = await schedulers.was(id, type);
    const place = { queue: was?.queue ?? contract.queue, id };
    const what = { ...describe({ ...place, ...ruleThere(schedule) }), key };
    const stays =
      whyItStays(schedule) ?? (await handBack(db, schedulers, contract, key, place, was?.options ?? {}, act));
    all.push({ ...what, key: stays === null ? key : null, stays });
  }
  return all;
}

const ruleThere = ({ cron, everyMs, timeZone }: Schedule) =>
  ({ pattern: cron, everyMs, timeZone: cron === null ? null : timeZone }) as const;

function whyItStays({ pause, payload, nextDueAt }: Schedule): string | null {
  if (pause !== null && pause.reason !== REASON) return 'it is paused';
  if (nextDueAt === null) return 'it fires no more';
  return JSON.stringify(payload).includes('"$due"') ? 'its payload is made of its due times' : null;
}

/** Why it stays; null: BullMQ has it now. */
async function handBack(
  db: Transactable,
  schedulers: Schedulers,
  contract: JobContract,
  key: string,
  place: { readonly queue: string; readonly id: string },
  options: object,
  act: Act,
): Promise<string | null> {
  const { by, via } = act;
  const paused = await pauseSchedule(db, key, { by, via, reason: REASON });
  const data = unsealPayload(contract, paused.version, paused.payload) as never;
  const after = Math.max((await readNow(db)) + AHEAD_MS, paused.nextDueAt!.getTime() - 1);
  const first = firstDueTime(toRule(paused), after);
  if (first === null) return 'it ends now';
  const endsAtMs = paused.endsAt === null ? null : paused.endsAt.getTime() - 1;
  const one = { ...place, name: contract.type, ...ruleThere(paused), endsAtMs, data, options, dueMs: first };
  const fires = (await schedulers.putBack(one)) ?? paused.pause!.since.getTime();
  await inTransaction(db, async (tx) => leave(tx, contract, key, data, fires, act));
  await schedulers.forget(place);
  return null;
}

/** Deletes it here, with a run for each due time before the first one there. */
async function leave(
  tx: RawClient,
  contract: JobContract,
  key: string,
  data: never,
  firesMs: number,
  act: Act,
): Promise<void> {
  const schedule = await getSchedule(tx, key);
  const after = new Date(schedule.nextDueAt!.getTime() - 1);
  for (const { dueAt } of previewSchedule(toRule(schedule), { after, count: MOST_DUE_TIMES }).dueTimes)
    if (dueAt.getTime() < firesMs) await enqueue(tx, contract, data, { runAt: dueAt });
  await deleteSchedule(tx, key, act);
}

function firstDueTime(rule: RuleInput, afterMs: number): number | null {
  try {
    return previewSchedule(rule, { after: new Date(afterMs), count: 1 }).dueTimes[0]!.dueAt.getTime();
  } catch (error) {
    if (DueworkError.is(error, 'rule_never_fires')) return null;
    throw error;
  }
}

const toRule = ({ cron, everyMs, timeZone, startsAt, endsAt }: Schedule): RuleInput => ({
  ...(cron === null ? { every: `${everyMs!}ms` } : { cron }),
  timeZone,
  ...(startsAt === null ? {} : { startsAt }),
  ...(endsAt === null ? {} : { endsAt }),
});
