/**
 * Hands over what graphile-worker's crontab fires, and back. That is a file of the old program, so what is written is that its
 * lines have fired for ever: no worker of it fires them any more, also one that still has the file.
 */
import type { JobContract } from '@duework/contracts';
import { enqueue, readNow, type Act, type Transactable } from '@duework/queue-core';
import { createSchedule, deleteSchedule, findSchedules } from '@duework/schedules';
import type { RawClient, Sql } from '@duework/sql';
import { handOne, Undone, type HandedOver } from './hand-over.js';
import type { ContractOf } from './type-names.js';
import { readCrontab, type CrontabLine } from './read-crontab.js';
import { dueTimesAbout } from './due-times-about.js';
import { endCrontab, listEndedCrontabs, resumeCrontab } from './sql/graphile-crontabs.js';

const ZONE = 'UTC';
const MINUTE_MS = 60_000;

/** Hands the lines of a crontab over whose tasks have a contract. */
export async function handOverGraphile(
  db: Transactable,
  schema: Sql,
  crontab: string,
  contractOf: ContractOf,
  isDry: boolean,
): Promise<readonly HandedOver[]> {
  const { lines, unknown } = readCrontab(crontab);
  const all: HandedOver[] = unknown.map((line) => ({ name: '', rule: line, key: null, stays: 'it cannot be read' }));
  for (const line of lines) {
    const what = { name: line.identifier, rule: line.cron };
    const contract = contractOf(line.task);
    if (contract === null) {
      all.push({ ...what, key: null, stays: 'no contract' });
      continue;
    }
    const key = toKey(contract, line);
    all.push(await handOne(db, { ...what, key }, isDry, (tx) => handOver(tx, schema, contract, line, key)));
  }
  return all;
}

const toKey = ({ type }: JobContract, { task, identifier }: CrontabLine): string =>
  identifier === task ? type : `${type}:${identifier}`;

async function handOver(
  tx: RawClient,
  schema: Sql,
  contract: JobContract,
  { identifier, cron, payload: json }: CrontabLine,
  key: string,
): Promise<void> {
  const payload = readPayload(json, contract);
  const firedAt = await endCrontab(tx, schema, identifier);
  if (firedAt === null) return;
  const { nextDueAt } = await createSchedule(tx, contract, { key, cron, timeZone: ZONE, payload, overlap: 'allow' });
  for (const dueTime of dueTimesAbout(cron, ZONE, await readNow(tx)))
    if (dueTime > firedAt && (nextDueAt === null || dueTime < nextDueAt))
      await enqueue(tx, contract, payload, { runAt: dueTime });
}

function readPayload(json: string | undefined, contract: JobContract): never {
  if (json === undefined) return (contract.defaultPayload ?? {}) as never;
  try {
    return JSON.parse(json) as never;
  } catch {
    throw new Undone('its payload is JSON5: write it as JSON');
  }
}

/** Hands back what was handed over, with the schedules that it has become. */
export async function handBackGraphile(
  db: Transactable,
  schema: Sql,
  contracts: readonly JobContract[],
  contractOf: ContractOf,
  act: Act,
): Promise<readonly HandedOver[]> {
  const all: HandedOver[] = [];
  const here = [];
  for (const { type } of contracts)
    here.push(...(await findSchedules(db, { type, source: 'api', limit: 1_000 })).schedules);
  for (const { identifier } of await listEndedCrontabs(db, schema)) {
    const schedule = here.find(({ type, key }) =>
      key === type ? contractOf(identifier)?.type === type : key === `${type}:${identifier}`,
    );
    if (schedule === undefined) continue;
    const { key, cron, nextDueAt } = schedule;
    const what = { name: identifier, rule: cron ?? '', key };
    const hand = async (tx: RawClient): Promise<void> => {
      await deleteSchedule(tx, key, act);
      const minuteMs = Math.floor((await readNow(tx)) / MINUTE_MS) * MINUTE_MS;
      const isFired = nextDueAt === null || nextDueAt.getTime() > minuteMs;
      await resumeCrontab(tx, schema, identifier, new Date(isFired ? minuteMs : minuteMs - MINUTE_MS));
    };
    all.push(await handOne(db, what, false, hand));
  }
  return all;
}
