import type { Transactable } from '@duework/queue-core';
import { nameId, sendThroughHook, writeRuns } from '@duework/queue-core/internals';
import type { NewRun } from '@duework/queue-core/ports';
import { inTransaction, type RawClient } from '@duework/sql';
import type { Forwarded } from './forward-contract.js';
import { nameCarried, noteCarried } from './sql/carry-jobs.js';
import { insertDeadRuns, type Death } from './sql/insert-dead-runs.js';

/** What is to become a run: the number under which it is noted, and the run. */
export interface Noted {
  readonly id: string;
  readonly run: NewRun;
  /** It is dead already. */
  readonly death?: Death;
}

/** A run that was written under its note, now or before. */
export interface CarriedRun {
  readonly id: string;
  readonly deduplicated: boolean;
}

/** Makes one run of each forward in the shard `to`, however often it is called. */
export async function carryIntoShard(
  target: Transactable,
  from: string,
  to: string,
  forwards: readonly Noted[],
): Promise<readonly Forwarded[]> {
  const jobs = await inTransaction(target, (tx) => writeOnce(tx, from, forwards));
  return jobs.map(({ id, deduplicated }) => ({ id: nameId(to, id), deduplicated }));
}

/**
 * Writes each run and the note that it has become one, in the caller's transaction: who comes again finds the note, and
 * writes no second one, whatever rules of uniqueness the job has. `prepare` is told which of them are new, before they are
 * written.
 */
export async function writeOnce(
  tx: RawClient,
  from: string,
  noted: readonly Noted[],
  prepare: (anew: readonly Noted[]) => Promise<void> = async () => {},
): Promise<readonly CarriedRun[]> {
  const ids = noted.map(({ id }) => id);
  const known = new Map((await noteCarried(tx, from, ids)).map(({ forwardId, runId }) => [forwardId, runId]));
  const anew = noted.filter(({ id }) => known.get(id) === null);
  const made = new Map<string, CarriedRun>();
  if (anew.length > 0) {
    const live = anew.filter(({ death }) => death === undefined);
    const dead = anew.flatMap(({ id, run, death }) => (death === undefined ? [] : [{ id, run, ...death }]));
    await prepare(live);
    const send = (runs: readonly NewRun[]) => writeRuns(tx, runs);
    const enqueued =
      live.length === 0
        ? []
        : await sendThroughHook(
            live.map(({ run }) => run),
            send,
          );
    live.forEach(({ id }, at) => made.set(id, { id: enqueued[at]!.id, deduplicated: enqueued[at]!.isDeduplicated }));
    const buried = dead.length === 0 ? [] : await insertDeadRuns(tx, dead);
    dead.forEach(({ id }, at) => made.set(id, { id: buried[at]!, deduplicated: false }));
    await nameCarried(
      tx,
      from,
      [...made].map(([forwardId, { id: runId }]) => ({ forwardId, runId })),
    );
  }
  return noted.map(({ id }) => made.get(id) ?? { id: known.get(id)!, deduplicated: false });
}
