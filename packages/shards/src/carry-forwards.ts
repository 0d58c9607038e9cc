/**
 * Carries forwards over: what a worker of their database does with them. Each target sees to it that a forward whose answer
 * was lost makes no second job: a shard by a note that it writes with the job, what is no database by the job's id.
 */
import { complete, retry, type CollectHandler, type Outcome, type Transactable } from '@duework/queue-core';
import { splitId } from '@duework/queue-core/internals';
import type { NewRun } from '@duework/queue-core/ports';
import { DueworkError } from '@duework/sql/errors';
import { problemOf } from './ask-shards.js';
import { carryIntoShard } from './carry-into-shard.js';
import type { Forwarded, forwardJob } from './forward-contract.js';
import { isForwardTarget, type CarriedForward, type ForwardTarget, type ForwardTargets } from './forward-target.js';

/**
 * The handler of forwards, for a worker of the database `from`: its shard's name, or the result of `originOf`. A target
 * is a client of a shard, or an object with `carry`.
 */
export function carryForwards(from: string, targets: ForwardTargets): CollectHandler<typeof forwardJob> {
  return async (jobs, { by: to }) => {
    const target = to === null ? undefined : targets[to];
    if (to === null || target === undefined)
      return jobs.map(() =>
        retry(`This worker knows no shard ${to}: it knows ${Object.keys(targets).join(', ')}.`, {
          code: 'unknown_shard',
        }),
      );
    const carried = jobs.map(({ run, payload }) => ({
      id: splitId(run.id).id,
      run: dueAsAsked(payload.run, run.createdAtMs),
      createdAtMs: run.createdAtMs,
    }));
    return carryAll(target, from, to, carried);
  };
}

/** As a sentence calls it. */
const called = (target: Transactable | ForwardTarget, to: string): string =>
  isForwardTarget(target) ? `The queue ${to}` : `Shard ${to}`;

async function carryAll(
  target: Transactable | ForwardTarget,
  from: string,
  to: string,
  carried: readonly CarriedForward[],
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

/** The outcome of each; null: the target refused, and nothing was written for those that it refused. */
async function tryCarry(
  target: Transactable | ForwardTarget,
  from: string,
  to: string,
  carried: readonly CarriedForward[],
): Promise<Outcome<Forwarded>[] | null> {
  try {
    const jobs = await (isForwardTarget(target)
      ? target.carry(from, carried)
      : carryIntoShard(target, from, to, carried));
    return jobs.map((job) => complete(job));
  } catch (error) {
    const problem = problemOf(to, error);
    if (carried.length > 1 && isRefusal(error, problem.problem)) return null;
    return carried.map(() => retry(`${called(target, to)}: ${problem.message}`, { code: problem.problem }));
  }
}

/** Whether it may be one of them alone that the target does not take, rather than the target that is away. */
function isRefusal(error: unknown, problem: string): boolean {
  return DueworkError.is(error) ? error.code !== 'redis_away' : problem === 'database_query_failed';
}
