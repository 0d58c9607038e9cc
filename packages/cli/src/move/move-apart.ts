/**
 * Moves jobs of a system in a database of its own. The two have no transaction in common, so a portion goes in three, each of
 * which can be done again: there, jobs are taken out of their queue and noted as being on their way; here, they are written, with
 * a note under the numbers that they have there; there, they are forgotten. Whoever is killed in between leaves jobs that nobody
 * runs, and the next call goes on with them. What cannot be written here goes back there.
 */
import { randomUUID } from 'node:crypto';
import type { JobContract } from '@duework/contracts';
import type { Transactable } from '@duework/queue-core';
import { forgetCarried, writeOnce, type Noted } from '@duework/shards';
import { inTransaction, type RawClient, type Sql } from '@duework/sql';
import { chargedOf, eachPortion, judge, PORTION, toDeadRun, type Moved, type Moving, type Ready } from './move-jobs.js';
import type { OldJob, ReturningJob } from './old-system.js';
import { auditMove, chargeRuns } from './sql/moved-runs.js';
import { forgetMoving, listMoving, noteMoving, type MovingJob } from './sql/moving-jobs.js';
import type { Stays } from './stays.js';
import type { ContractOf } from './type-names.js';

const PORTION_MS = 120_000;

/** The database of the old system, and the schema in which it is. */
export interface Apart {
  readonly db: Transactable;
  readonly schema: Sql;
}

/** Moves what waits of a name, and what has failed, as `moveJobs` does from the same database. */
export async function moveJobsApart(
  moving: Moving & { readonly apart: Apart },
  name: string,
  contract: JobContract,
  stays: Stays,
): Promise<Moved> {
  const { system, apart } = moving;
  const by = randomUUID();
  let [waiting, dead] = [0, 0];
  await eachPortion(system, name, moving.signal, async (ids) => {
    const staying = await inTransaction(
      apart.db,
      async (tx) => {
        const judged = judge(system.name, contract, await system.lock(tx, name, ids));
        const taken = judged.ready.map(({ job }) => job);
        if (taken.length > 0) await noteMoving(tx, apart.schema, by, name, taken);
        await system.remove(
          tx,
          taken.map(({ id }) => id),
        );
        return judged.stays;
      },
      PORTION_MS,
    );
    for (const [id, why] of staying) stays.add(name, why, id);
    const moved = await arriveAll(moving, (one) => (one === name ? contract : null), stays);
    waiting += moved.waiting;
    dead += moved.dead;
    moving.onPortion({ name, waiting, dead });
  });
  return { name, waiting, dead };
}

/** Goes on with all that is on its way of the names that have a contract. */
export async function arriveAll(
  moving: Moving & { readonly apart: Apart },
  contractOf: ContractOf,
  stays: Stays,
): Promise<Pick<Moved, 'waiting' | 'dead'>> {
  const { db, schema } = moving.apart;
  let [waiting, dead] = [0, 0];
  for (let after = '0'; ;) {
    const all = await listMoving(db, schema, after, PORTION);
    if (all.length === 0) return { waiting, dead };
    after = all.at(-1)!.number;
    for (const same of groups(all)) {
      const contract = contractOf(same[0]!.name);
      if (contract === null) continue;
      const moved = await arrive(moving, contract, same, stays);
      waiting += moved.waiting;
      dead += moved.dead;
    }
  }
}

/** Those of one call and one name. */
function groups(all: readonly MovingJob[]): readonly (readonly MovingJob[])[] {
  const found = new Map<string, MovingJob[]>();
  for (const one of all) {
    const key = JSON.stringify([one.by, one.name]);
    found.set(key, [...(found.get(key) ?? []), one]);
  }
  return [...found.values()];
}

async function arrive(
  moving: Moving & { readonly apart: Apart },
  contract: JobContract,
  on: readonly MovingJob[],
  stays: Stays,
): Promise<Pick<Moved, 'waiting' | 'dead'>> {
  const { system, apart } = moving;
  const { name } = on[0]!;
  const numberOf = new Map(on.map(({ number, job }) => [job.id, number]));
  const judged = judge(
    system.name,
    contract,
    on.map(({ job }) => job),
  );
  const write = (tx: RawClient) => writeThem(tx, moving, on[0]!, judged.ready, numberOf);
  const taken = judged.ready.length === 0 ? [] : await inTransaction(moving.db, write, PORTION_MS);
  const refused = new Map([...judged.stays, ...taken]);
  await inTransaction(apart.db, async (tx) => {
    const returning = on.flatMap(({ job }) => (refused.has(job.id) ? [toReturning(job)] : []));
    const back = new Set(returning.length === 0 ? [] : await system.putBack(tx, returning));
    const gone = on.filter(({ job }) => !refused.has(job.id) || back.has(job.id));
    await forgetMoving(
      tx,
      apart.schema,
      gone.map(({ number }) => number),
    );
  });
  for (const [id, why] of refused) stays.add(name, why, id);
  const dead = judged.ready.filter(({ job }) => job.isFailed).length;
  return { waiting: judged.ready.length - taken.length - dead, dead };
}

/** Answers with those whose key another job here has: they are not written. */
async function writeThem(
  tx: RawClient,
  { act, system }: Moving,
  { by, name }: MovingJob,
  ready: readonly Ready[],
  numberOf: ReadonlyMap<string, string>,
): Promise<readonly (readonly [job: string, why: string])[]> {
  const from = `moved/${by}`;
  const noted = ready.map((one): Noted => {
    const { run, ...death } = toDeadRun(one);
    return { id: numberOf.get(one.job.id)!, run, ...(one.job.isFailed ? { death } : {}) };
  });
  const anew = new Set<string>();
  const made = await writeOnce(tx, from, noted, async (all) => all.forEach(({ id }) => anew.add(id)));
  const taken = ready.flatMap(({ job }, at): [string, string][] =>
    made[at]!.deduplicated ? [[job.id, `its key is that of the job ${made[at]!.id} here`]] : [],
  );
  const isTaken = new Set(taken.map(([id]) => id));
  const charged = ready.flatMap((one, at) =>
    anew.has(noted[at]!.id) && !isTaken.has(one.job.id) ? chargedOf(one, made[at]!.id) : [],
  );
  if (charged.length > 0) await chargeRuns(tx, charged);
  if (taken.length > 0)
    await forgetCarried(
      tx,
      from,
      taken.map(([id]) => numberOf.get(id)!),
    );
  await auditMove(tx, 'move_here', { act, system: system.name, name, jobs: ready.length - taken.length });
  return taken;
}

const toReturning = ({ failure, ...job }: OldJob): ReturningJob => ({ ...job, error: failure?.message ?? null });
