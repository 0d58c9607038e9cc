/**
 * Takes jobs back to where they came from, a portion in one transaction: what waits of a type, also what was enqueued here since,
 * under the names of the old system. What runs, or has begun something that only this database knows, stays and is told.
 */
import { unsealPayload, type Act, type Transactable } from '@duework/queue-core';
import type { JobContract } from '@duework/contracts';
import { inTransaction, type RawClient } from '@duework/sql';
import { DueworkError } from '@duework/sql/errors';
import { type Moved, PORTION } from './move-jobs.js';
import type { OldSystem, ReturningJob } from './old-system.js';
import {
  auditMove,
  listDeadOf,
  listWaiting,
  lockDead,
  lockWaiting,
  removeRuns,
  type WaitingRun,
} from './sql/moved-runs.js';
import type { Stays } from './stays.js';
import { isObject, type Origin } from './to-new-run.js';

const PORTION_MS = 120_000;

export interface MovingBack {
  readonly db: Transactable;
  readonly system: OldSystem;
  readonly act: Act;
  readonly signal: AbortSignal;
  readonly onPortion: (moved: Moved) => void;
}

/** Moves what waits of a type, and what came dead, to the name `name` of the old system. */
export async function moveBack(back: MovingBack, name: string, contract: JobContract, stays: Stays): Promise<Moved> {
  let [waiting, dead] = [0, 0];
  const take = async (ids: readonly string[], isDead: boolean): Promise<void> => {
    const { gone, left } = await inTransaction(
      back.db,
      async (tx) => returnPortion(tx, back, name, contract, ids, isDead),
      PORTION_MS,
    );
    for (const [id, why] of left) stays.add(name, why, id);
    if (isDead) dead += gone;
    else waiting += gone;
    back.onPortion({ name, waiting, dead });
  };
  for (let after = '0'; !back.signal.aborted;) {
    const ids = (await listWaiting(back.db, contract.type, after, PORTION)).map(({ id }) => id);
    if (ids.length === 0) break;
    await take(ids, false);
    after = ids.at(-1)!;
  }
  const ids = (await listDeadOf(back.db, contract.type, back.system.name)).map(({ id }) => id);
  for (let from = 0; from < ids.length && !back.signal.aborted; from += PORTION)
    await take(ids.slice(from, from + PORTION), true);
  return { name, waiting, dead };
}

async function returnPortion(
  tx: RawClient,
  { system, act }: MovingBack,
  name: string,
  contract: JobContract,
  ids: readonly string[],
  isDead: boolean,
): Promise<{ readonly gone: number; readonly left: readonly (readonly [id: string, why: string])[] }> {
  const runs = await (isDead ? lockDead : lockWaiting)(tx, ids);
  const [jobs, unreadable] = [[] as ReturningJob[], new Map<string, string>()];
  for (const run of runs)
    try {
      jobs.push(toReturningJob(system.name, name, contract, run, isDead));
    } catch (error) {
      // others go on without it
      if (!(error instanceof DueworkError)) throw error;
      unreadable.set(run.id, error.message);
    }
  const there = jobs.length === 0 ? [] : await system.putBack(tx, jobs);
  if (there.length > 0) {
    await removeRuns(tx, there);
    await auditMove(tx, 'move_back', { act, system: system.name, name, jobs: there.length });
  }
  const [locked, gone] = [new Set(runs.map(({ id }) => id)), new Set(there)];
  const left = ids.flatMap((id): [string, string][] => {
    if (gone.has(id)) return [];
    return [
      [
        id,
        unreadable.get(id) ??
          (locked.has(id) ? 'its key is taken there, or its queue is gone' : 'it runs, or has begun something here'),
      ],
    ];
  });
  return { gone: there.length, left };
}

export function toReturningJob(
  system: string,
  name: string,
  contract: JobContract,
  { id, version, payload, runAt, priority, attempts, maxAttempts, error, meta }: WaitingRun,
  isFailed: boolean,
): ReturningJob {
  const { movedFrom, movedRow, movedJob } = JSON.parse(meta ?? '{}') as Partial<Origin>;
  const isTheirs = movedFrom === system && movedRow !== undefined;
  const { lost = {}, ...row } = isTheirs ? (JSON.parse(movedRow) as { readonly lost?: object }) : {};
  const data = unsealPayload(contract, version, JSON.parse(payload) as unknown);
  return {
    id,
    name: isTheirs ? movedJob!.slice(0, movedJob!.lastIndexOf('/')) : name,
    data: isObject(data) ? { ...data, ...lost } : data,
    isFailed,
    runAt,
    ahead: contract.priority - priority,
    attempts,
    maxAttempts,
    error,
    row: isTheirs ? row : null,
  };
}
