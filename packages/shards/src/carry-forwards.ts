/**
 * Carries forwards over: what a worker of their shard does with them. The job and the note that this forward has become it
 * are written in one transaction of the target, so that a forward whose answer was lost finds its job there and makes no
 * second one, whatever rules of uniqueness the job has.
 */
import {
  complete,
  retry,
  type CollectHandler,
  type EnqueuedJob,
  type Outcome,
  type Transactable,
} from '@duework/queue-core';
import { nameId, sendThroughHook, splitId, writeRuns } from '@duework/queue-core/internals';
import type { NewRun } from '@duework/queue-core/ports';
import { inTransaction } from '@duework/sql';
import { DueworkError } from '@duework/sql/errors';
import { problemOf } from './ask-shards.js';
import type { Forwarded, forwardJob } from './forward-contract.js';
import { nameCarried, noteCarried } from './sql/carry-jobs.js';
import type { ShardClients } from './shards.js';

/** One forward: its id in its own shard, and the job to enqueue. */
interface Carried {
  readonly id: string;
  readonly run: NewRun;
}

/** A target whose call has taken for so long is taken for away: others do not wait behind it, each in a slot. */
const PATIENCE_MS = 500;

/** The handler of forwards, for a worker of the shard `from`. */
export function carryForwards(
  from: string,
  shards: ShardClients,
  now: () => number = () => performance.now(),
): CollectHandler<typeof forwardJob> {
  const calls = new Map<string, Set<{ readonly sinceMs: number }>>();
  const hangs = (to: string): boolean =>
    [...(calls.get(to) ?? [])].some(({ sinceMs }) => now() - sinceMs > PATIENCE_MS);
  return async (jobs, { by: to }) => {
    const target = to === null ? undefined : shards[to];
    if (to === null || target === undefined)
      return jobs.map(() =>
        retry(`This worker knows no shard ${to}: it knows ${Object.keys(shards).join(', ')}.`, {
          code: 'unknown_shard',
        }),
      );
    if (hangs(to))
      return jobs.map(() => retry(`Shard ${to} has not answered an earlier call yet.`, { code: 'too_slow' }));
    const carried = jobs.map(({ run, payload }) => ({
      id: splitId(run.id).id,
      run: dueAsAsked(payload.run, run.createdAtMs),
    }));
    const call = { sinceMs: now() };
    const open = calls.get(to) ?? new Set();
    calls.set(to, open.add(call));
    try {
      return await carryAll(target, from, to, carried);
    } finally {
      open.delete(call);
    }
  };
}

async function carryAll(
  target: Transactable,
  from: string,
  to: string,
  carried: readonly Carried[],
): Promise<Outcome<Forwarded>[]> {
  const all = await tryCarry(target, from, to, carried);
  if (all !== null) return all;
  // one of them is refused: each by itself, so that the others go on
  const outcomes: Outcome<Forwarded>[] = [];
  for (const one of carried) outcomes.push((await tryCarry(target, from, to, [one]))![0]!);
  return outcomes;
}

/** A delay counts from the moment at which the caller enqueued, however long the way was. */
function dueAsAsked(run: NewRun, createdAtMs: number): NewRun {
  return run.delayMs === 0 ? run : { ...run, delayMs: 0, runAt: new Date(createdAtMs + run.delayMs).toISOString() };
}

/** The outcome of each; null: the target refused, and nothing was written. */
async function tryCarry(
  target: Transactable,
  from: string,
  to: string,
  carried: readonly Carried[],
): Promise<Outcome<Forwarded>[] | null> {
  try {
    return await carry(target, from, to, carried);
  } catch (error) {
    const problem = problemOf(to, error);
    if (carried.length > 1 && (DueworkError.is(error) || problem.problem === 'database_query_failed')) return null;
    return carried.map(() => retry(`Shard ${to}: ${problem.message}`, { code: problem.problem }));
  }
}

async function carry(
  target: Transactable,
  from: string,
  to: string,
  carried: readonly Carried[],
): Promise<Outcome<Forwarded>[]> {
  const jobs = await inTransaction(target, async (tx) => {
    const known = new Map(
      (
        await noteCarried(
          tx,
          from,
          carried.map(({ id }) => id),
        )
      ).map(({ forwardId, runId }) => [forwardId, runId]),
    );
    const anew = carried.filter(({ id }) => known.get(id) === null);
    const made = new Map<string, EnqueuedJob>();
    if (anew.length > 0) {
      const enqueued = await sendThroughHook(
        anew.map(({ run }) => run),
        (runs) => writeRuns(tx, runs),
      );
      anew.forEach(({ id }, at) => made.set(id, enqueued[at]!));
      await nameCarried(
        tx,
        from,
        [...made].map(([forwardId, { id: runId }]) => ({ forwardId, runId })),
      );
    }
    return carried.map(({ id }) => {
      const job = made.get(id);
      return { id: nameId(to, job?.id ?? known.get(id)!), deduplicated: job?.isDeduplicated ?? false };
    });
  });
  return jobs.map((job) => complete(job));
}
