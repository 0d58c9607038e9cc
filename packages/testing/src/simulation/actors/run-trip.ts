import {
  bury,
  complete,
  type DurableContext,
  type JobContext,
  type Outcome,
  StepFailedError,
} from '@duework/queue-core';
import type { RunningHandler } from '../observe/handler-watch.js';
import { arrived, leg } from '../plan/contracts-to-simulate.js';
import type { SimulatedJob } from '../plan/make-workload.js';
import type { TripStep, Whole } from '../plan/make-whole.js';
import type { SimulatedProcess } from '../world/simulated-process.js';
import type { World } from '../world/world.js';
import { enqueueMore } from './run-batch.js';

type Context = JobContext & DurableContext;

/** A durable handler that takes the steps of its job's script, and waits. */
export async function runTrip(
  world: World,
  process: SimulatedProcess,
  job: SimulatedJob,
  context: Context,
): Promise<Outcome<number>> {
  const running = world.observer.handlerStarts(process, context);
  try {
    for (const [at, step] of (job.whole as Extract<Whole, { kind: 'trip' }>).steps.entries())
      await takeStep(world, process, { step, name: `${step.kind} ${at}`, job: job.number }, context, running);
    return complete(job.number);
  } finally {
    running.end();
  }
}

async function takeStep(
  world: World,
  process: SimulatedProcess,
  { step, name, job }: { readonly step: TripStep; readonly name: string; readonly job: number },
  context: Context,
  running: RunningHandler,
): Promise<void> {
  const { wholes } = world.observer;
  if (step.kind === 'work') {
    const work = async (): Promise<number> => {
      wholes.begins(context, name);
      await process.step(step.ms);
      return wholes.nextSerial();
    };
    return wholes.answers(context, name, await context.step(name, work));
  }
  // while it waits it may be left where it is, and is told nothing more
  running.isWaiting = true;
  if (step.kind === 'sleep') {
    wholes.asksToSleep(context, name);
    await context.sleep(`${step.ms}ms`, { name });
    wholes.wakesUp(context, name, step.ms);
  } else if (step.kind === 'signal') {
    const timeout = step.timeoutMs === null ? {} : { timeout: `${step.timeoutMs}ms` as const };
    const signal = await context.waitFor(arrived, { where: { job }, name, ...timeout });
    wholes.answers(context, name, signal);
    if (signal !== null) wholes.receives(context, name, signal.serial);
  } else {
    await awaitGraph(step, job, context).catch((error: unknown) => {
      if (!step.goesOn || !(error instanceof StepFailedError)) throw error;
    });
  }
  running.isWaiting = false;
}

async function awaitGraph(
  { legs, after }: Extract<TripStep, { kind: 'graph' }>,
  job: number,
  { child }: Context,
): Promise<void> {
  const await_ = (of: number): Promise<unknown> => child(leg, { job, of }, { name: `leg ${of}` });
  await Promise.all(legs.map(await_));
  await await_(after);
}

/** A child of a trip, or a job of a batch: it works for a while; the first of a batch that grows adds another one. */
export async function runLeg(
  world: World,
  process: SimulatedProcess,
  job: SimulatedJob,
  context: JobContext,
): Promise<Outcome<number>> {
  const running = world.observer.handlerStarts(process, context);
  try {
    const { of } = context.payload as { of: number };
    const whole = job.whole!;
    const { ms, end } = whole.legs[of] ?? { ms: 10, end: 'complete' };
    await process.step(ms, context.signal);
    context.signal.throwIfAborted();
    if (whole.kind === 'batch' && whole.grows && of === 0) await enqueueMore(world, process, job, context);
    if (end === 'throw' && context.fence === 1) throw new Error('this leg throws');
    return end === 'bury' ? bury('given_up', 'this leg gives up') : complete(of);
  } finally {
    running.end();
  }
}
