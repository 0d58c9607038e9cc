import { DueworkError, type JobContext, type JobRequest } from '@duework/queue-core';
import { pause } from '@duework/queue-core/internals';
import { arrived, leg, told } from '../plan/contracts-to-simulate.js';
import type { SimulatedJob } from '../plan/make-workload.js';
import type { SimulatedProcess } from '../world/simulated-process.js';
import type { World } from '../world/world.js';
import { send } from './send.js';

const AGAIN_MS = 150;

const legOf = (job: number, of: number, key: string | null = null): JobRequest => ({
  contract: leg,
  payload: { job, of },
  options: { idempotencyKey: key },
});

/** Begins the batch of a job, once: where the answer is lost, nobody knows. Returns the id of its first job. */
export async function beginBatch(
  world: World,
  client: SimulatedProcess,
  { number, whole }: SimulatedJob,
): Promise<string | null> {
  const tell = (of: number): JobRequest => ({ contract: told, payload: { job: number, of }, options: {} });
  const request = {
    jobs: whole!.legs.map((_, of) => legOf(number, of)),
    onSettled: tell(0),
    onSucceeded: tell(1),
    onFirstDead: tell(2),
  };
  try {
    const { jobs } = await send(world, client, 'enqueueBatch', [request], () => world.queue.enqueueBatch(request));
    return jobs[0]?.id ?? null;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ECONNRESET') throw error;
    return null;
  }
}

/** Adds a job to the batch of the one that runs, once, however often that is tried; none where the batch has settled. */
export async function enqueueMore(
  world: World,
  process: SimulatedProcess,
  { number, whole }: SimulatedJob,
  { run }: JobContext,
): Promise<void> {
  const more = [legOf(number, whole!.legs.length, `more:${number}`)];
  const add = () => world.queue.addToBatch(run.terms!.batch!, more);
  try {
    await send(world, process, 'addToBatch', [more], add);
  } catch (error) {
    if (!DueworkError.is(error, 'batch_settled')) throw error;
  }
}

/** Sends a signal to a trip until there is an answer: perhaps more than once, each time another one. */
export async function sendSignal(world: World, client: SimulatedProcess, job: number): Promise<void> {
  for (;;) {
    const payload = { job, serial: world.observer.wholes.nextSerial() };
    try {
      await send(world, client, 'signal', [payload], () => world.queue.signal(arrived, payload));
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ECONNRESET') throw error;
      await pause(client.clock, AGAIN_MS);
    }
  }
}
