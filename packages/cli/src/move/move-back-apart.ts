/**
 * Takes jobs back to a system in a database of its own. First each waiting one becomes a forward of itself, which no worker of
 * Duework runs. Then forwards are put into their queue there, in a transaction that notes their ids, and deleted here. Who is
 * killed in between leaves forwards: the next call finds which of them are there.
 */
import type { JobContract } from '@duework/contracts';
import type { NewRun } from '@duework/queue-core/ports';
import { writeRuns } from '@duework/queue-core/internals';
import { forwardWaiting, originOf } from '@duework/shards';
import { inTransaction, type RawClient } from '@duework/sql';
import { pause } from '../output/pause.js';
import type { Apart } from './move-apart.js';
import { toReturningJob, type MovingBack } from './move-back.js';
import { PORTION, type Moved } from './move-jobs.js';
import type { OldSystem, ReturningJob } from './old-system.js';
import { auditMove, hasForwards, listDeadOf, lockDead, lockForwards, removeRuns } from './sql/moved-runs.js';
import { findReturned, noteReturned } from './sql/moving-jobs.js';
import type { Stays } from './stays.js';

/** Apart from the targets that workers know. */
const TARGET = 'moved_back';
const LOOK_MS = 200;
const PORTION_MS = 120_000;

/** Moves what waits of a type, and what came dead, to the name `name` of the old system. */
export async function moveBackApart(
  back: MovingBack & { readonly apart: Apart },
  name: string,
  contract: JobContract,
  stays: Stays,
): Promise<Moved> {
  const { db, signal, onPortion } = back;
  const origin = await originOf(db);
  const { left } = await forwardWaiting(db, TARGET, contract, signal);
  if (left > 0) stays.count(name, 'they have begun something here, or stand in a line', left);
  let [waiting, dead] = [0, 0];
  while (!signal.aborted) {
    const carry = (tx: RawClient) => carryPortion(tx, back, origin, name, contract, stays);
    const { carried, gone } = await inTransaction(db, carry, PORTION_MS);
    waiting += gone;
    onPortion({ name, waiting, dead });
    if (carried > 0) continue;
    if (!(await hasForwards(db, TARGET, contract.type))) break;
    // a worker that carries forwards has taken one, and gives it back, because it does not know the target
    await pause(LOOK_MS, signal);
  }
  const ids = (await listDeadOf(db, contract.type, back.system.name)).map(({ id }) => id);
  for (let from = 0; from < ids.length && !signal.aborted; from += PORTION) {
    const some = ids.slice(from, from + PORTION);
    dead += await inTransaction(db, (tx) => carryDead(tx, back, origin, name, contract, some), PORTION_MS);
    onPortion({ name, waiting, dead });
  }
  return { name, waiting, dead };
}

async function carryPortion(
  tx: RawClient,
  back: MovingBack & { readonly apart: Apart },
  origin: string,
  name: string,
  contract: JobContract,
  stays: Stays,
): Promise<{ readonly carried: number; readonly gone: number }> {
  const forwards = (await lockForwards(tx, TARGET, contract.type, PORTION)).map(({ id, run }) => ({
    id,
    run: JSON.parse(run) as NewRun,
  }));
  const jobs = forwards.map(({ id, run }) => returnForward(back.system, name, contract, id, run));
  const there = new Set(await putBackOnce(back, origin, jobs));
  await removeRuns(
    tx,
    forwards.map(({ id }) => id),
  );
  const refused = forwards.filter(({ id }) => !there.has(id));
  if (refused.length > 0)
    await writeRuns(
      tx,
      refused.map(({ run }) => run),
    );
  for (const { id } of refused) stays.add(name, 'its key is taken there, or its queue is gone', id);
  await auditMove(tx, 'move_back', { act: back.act, system: back.system.name, name, jobs: there.size });
  return { carried: forwards.length, gone: there.size };
}

/** A forward has the attempts that are left: what it had in all, its row there knows. */
function returnForward(
  system: OldSystem,
  name: string,
  contract: JobContract,
  id: string,
  { version, payloadJson, runAt, priority, maxAttempts: left, metaJson }: NewRun,
): ReturningJob {
  const waiting = { id, version, payload: payloadJson, runAt: runAt!, priority, error: null, meta: metaJson };
  const job = toReturningJob(system.name, name, contract, { ...waiting, attempts: 0, maxAttempts: left }, false);
  if (job.row === null) return job;
  const maxAttempts = Math.max(system.maxAttemptsOf(job.row), left);
  return { ...job, attempts: maxAttempts - left, maxAttempts };
}

async function carryDead(
  tx: RawClient,
  back: MovingBack & { readonly apart: Apart },
  origin: string,
  name: string,
  contract: JobContract,
  ids: readonly string[],
): Promise<number> {
  const { system, act } = back;
  const jobs = (await lockDead(tx, ids)).map((run) => toReturningJob(system.name, name, contract, run, true));
  const there = await putBackOnce(back, origin, jobs);
  await removeRuns(tx, there);
  await auditMove(tx, 'move_back', { act, system: system.name, name, jobs: there.length });
  return there.length;
}

/** Puts those back that have not come before; answers with all that are there, now or since. */
async function putBackOnce(
  { system, apart }: MovingBack & { readonly apart: Apart },
  origin: string,
  jobs: readonly ReturningJob[],
): Promise<readonly string[]> {
  if (jobs.length === 0) return [];
  return inTransaction(
    apart.db,
    async (tx) => {
      const ids = jobs.map(({ id }) => id);
      const before = new Set(await findReturned(tx, apart.schema, origin, ids));
      const anew = jobs.filter(({ id }) => !before.has(id));
      const put = anew.length === 0 ? [] : await system.putBack(tx, anew);
      await noteReturned(tx, apart.schema, origin, put);
      return [...before, ...put];
    },
    PORTION_MS,
  );
}
