import { DueworkError, type EnqueuedJob, type JobQueue, type JobRequest } from '@duework/queue-core';
import { pause } from '@duework/queue-core/internals';
import type { Operation, SimulatedJob } from '../plan/make-workload.js';
import { noteApprovals } from '../observe/note-approvals.js';
import { send } from './send.js';
import type { SimulatedProcess } from '../world/simulated-process.js';
import type { World } from '../world/world.js';

/** How a producer enters the queue. */
export type Enter = (request: JobRequest) => Promise<EnqueuedJob>;

const AGAIN_MS = 150;

/**
 * Enqueues a job. Without an answer nobody knows whether the job exists: one with a key is enqueued again until there
 * is an answer, one without a key is not. Returns the id where there was an answer.
 */
export async function enqueueJob(
  world: World,
  client: SimulatedProcess,
  enter: Enter,
  { number, contract, of, key, delayMs, priority, maxAttempts }: SimulatedJob,
): Promise<string | null> {
  const request: JobRequest = {
    contract,
    payload: { job: number, of },
    options: { idempotencyKey: key, priority, maxAttempts, delay: `${delayMs}ms` },
  };
  for (;;) {
    try {
      const { id } = await send(world, client, 'enqueue', [request], () => enter(request));
      world.observer.answered(id, contract.type, key);
      return id;
    } catch (error) {
      if (DueworkError.is(error, 'queue_full') || key === null) return null;
      await pause(client.clock, AGAIN_MS);
    }
  }
}

/**
 * Does an operator's operation with a job. A refusal is an answer like any other; after a lost answer it is not
 * repeated.
 */
export async function operateJob(
  world: World,
  client: SimulatedProcess,
  queue: Pick<JobQueue, 'cancelJob' | 'retryJob'>,
  operation: Extract<Operation, { job: number }>,
  id: string,
): Promise<void> {
  const { kind, effectsHappened } = operation;
  try {
    await send(world, client, kind, [id, effectsHappened], async () => {
      if (kind === 'cancel') return queue.cancelJob(id, { by: 'operator' });
      const note = noteApprovals(world.tables, world.ledger, id);
      const retried = queue.retryJob(id, { effectsHappened });
      note();
      return retried;
    });
  } catch (error) {
    if (!DueworkError.is(error) && (error as { code?: unknown }).code !== 'ECONNRESET') throw error;
  }
}
