import type { JobQueue } from '@duework/queue-core';
import type { Workload } from '../plan/make-workload.js';
import { beginBatch, sendSignal } from './run-batch.js';
import { enqueueJob, operateJob, type Enter } from './run-client.js';
import type { SimulatedProcess } from '../world/simulated-process.js';
import type { WorkerPlace } from './worker-place.js';
import type { World } from '../world/world.js';

export interface Asked {
  readonly workload: Workload;
  readonly client: SimulatedProcess;
  readonly enter: Enter;
  readonly operators: Pick<JobQueue, 'cancelJob' | 'retryJob'>;
  readonly places: readonly WorkerPlace[];
}

/**
 * Sends every request of the workload at its time. The returned function counts those that are not sent or not answered
 * yet.
 */
export function askForWork(world: World, { workload, client, enter, operators, places }: Asked): () => number {
  const ids = new Map<number, string>();
  let open = 0;
  const ask = (atMs: number, act: () => Promise<void>): void => {
    open++;
    const end = (): void => void open--;
    world.time.after(
      atMs,
      () =>
        void act().then(end, (error: Error) =>
          world.observer.violate('whoever asks gets an answer or a refusal', error.message),
        ),
    );
  };
  for (const job of workload.jobs) {
    for (const atMs of job.atMs) {
      ask(atMs, async () => {
        const begin =
          job.whole?.kind === 'batch' ? beginBatch(world, client, job) : enqueueJob(world, client, enter, job);
        const id = await begin;
        if (id !== null) ids.set(job.number, id);
      });
    }
  }
  for (const { number, whole } of workload.jobs)
    if (whole?.kind === 'trip')
      for (const atMs of whole.signalsAtMs) ask(atMs, () => sendSignal(world, client, number));
  for (const operation of workload.operations) {
    const { kind, atMs } = operation;
    if (kind === 'stop')
      world.time.after(atMs, () => void places[operation.worker - 1]?.stop(operation.deadlineMs, operation.hurriesMs));
    else {
      ask(atMs, async () => {
        const id = ids.get(operation.job);
        if (id !== undefined) await operateJob(world, client, operators, operation, id);
      });
    }
  }
  return () => open;
}
