import {
  AbortReason,
  bury,
  complete,
  type EffectContext,
  type JobContext,
  type Outcome,
  type Queryable,
  retry,
  snooze,
} from '@duework/queue-core';
import type { RunningHandler } from '../observe/handler-watch.js';
import { keyedRandom } from '../world/keyed-random.js';
import type { SimulatedJob, Step } from '../plan/make-workload.js';
import type { SimulatedProcess } from '../world/simulated-process.js';
import type { World } from '../world/world.js';

type Effect = Extract<Step, { kind: 'effect' }>;

/** Stands for a transaction: the store in memory uses none. */
const NO_TRANSACTION: Queryable = { $queryRaw: () => Promise.reject(new Error('There is no SQL here.')) };

/** A handler that does what its job's script says. Its process may die at each of its awaits. */
export async function runScript(
  world: World,
  process: SimulatedProcess,
  job: SimulatedJob,
  context: JobContext,
): Promise<Outcome<number | null>> {
  const running = world.observer.handlerStarts(process, context);
  try {
    for (const step of job.steps) {
      if (step.kind === 'complete_in') await completeRun(job, context, running);
      else await runStep(world, process, job, step, context);
    }
    return endOf(job, context);
  } finally {
    running.end();
  }
}

async function runStep(
  world: World,
  process: SimulatedProcess,
  job: SimulatedJob,
  step: Exclude<Step, { kind: 'complete_in' }>,
  context: JobContext,
): Promise<void> {
  switch (step.kind) {
    case 'pause':
      await process.step(step.ms, step.obeysSignal ? context.signal : undefined);
      if (step.obeysSignal) context.signal.throwIfAborted();
      return;
    case 'progress':
      return context.progress({ at: context.attempt });
    case 'effect': {
      const { name, key, beginLate } = step;
      await context.once(
        name,
        (about) => doEffect(world, process, job, step, context, about),
        key === null ? { beginLate } : { beginLate, key },
      );
      world.ledger.goOn(`${context.run.type}:${key ?? context.run.idempotencyKey ?? `run:${context.run.id}`}:${name}`);
    }
  }
}

/** After a transaction that failed the handler may go on, and has to be aborted again when its lease is lost. */
async function completeRun(job: SimulatedJob, context: JobContext, running: RunningHandler): Promise<void> {
  running.isCompleting = true;
  try {
    await context.completeIn(NO_TRANSACTION, job.number);
  } catch (error) {
    if (AbortReason.is(error)) throw error;
    running.isCompleting = false;
  }
}

/** Performs an effect that takes a moment; it happens between its two awaits. */
async function doEffect(
  world: World,
  process: SimulatedProcess,
  { number, contract }: SimulatedJob,
  step: Effect,
  context: JobContext,
  about: EffectContext,
): Promise<number> {
  const random = keyedRandom(world.plan.seed, `job ${number}/${step.name}/${context.fence}`);
  if (step.beginLate) {
    await process.step(random() * 20);
    await about.begin();
  }
  world.observer.effectStarts(process, context);
  await process.step(random() * 20);
  const isFaulty = random() < 0.5;
  if (isFaulty && step.fault === 'refused')
    throw Object.assign(new Error('nobody listens there'), { code: 'ECONNREFUSED' });
  world.trace(`${process.name} EFFECT ${about.key} fence ${context.fence}${about.isRepeat ? ' again' : ''}`);
  world.ledger.happen(about.key, contract.effects);
  await process.step(random() * 20);
  if (isFaulty && step.fault === 'unclear') throw new Error('no answer from there');
  return number;
}

function endOf(job: SimulatedJob, { fence }: JobContext): Outcome<number> {
  const end = job.ends[fence - 1] ?? 'complete';
  switch (end) {
    case 'complete':
      return complete(job.number);
    case 'retry':
      return retry('not yet');
    case 'throw':
      throw new Error('this handler throws');
    case 'snooze':
      return snooze('300ms');
    case 'bury':
      return bury('given_up', 'this handler gives up');
  }
}
