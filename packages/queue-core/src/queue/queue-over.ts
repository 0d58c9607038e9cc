import { batchesOver, checkCapabilities } from '../batches/batches-over.js';
import { systemClock, type Clock } from '../clock.js';
import type { JobQueue } from './job-queue.js';
import { jobRequest, type JobRequest } from '../enqueue/job-request.js';
import { makeNewRun } from '../enqueue/make-new-run.js';
import { makeNewEvent } from '../enqueue/make-new-event.js';
import { makeNewSignal } from '../enqueue/make-new-signal.js';
import { operateOn } from './operate-on.js';
import { pauseOver } from './pause-over.js';
import type { EnqueuedJob } from '../ports/producer.js';
import type { QueueStore } from '../ports/store.js';
import { readResult } from './read-result.js';
import { requireCapability } from '../require-capability.js';
import { publishThroughHook, sendThroughHook } from '../enqueue/send-through-hook.js';

/** The queue of producers and operators over any store; what the store cannot do is refused with `not_supported`. */
export function queueOver<TDropped extends null = never>(
  store: QueueStore<TDropped>,
  clock: Clock = systemClock,
): JobQueue<TDropped> {
  const insert = async (
    requests: readonly JobRequest[],
    signal: AbortSignal | undefined,
  ): Promise<EnqueuedJob[] | TDropped> => {
    signal?.throwIfAborted();
    const runs = requests.map(makeNewRun);
    for (const run of runs) checkCapabilities(store, run);
    return runs.length === 0 ? [] : sendThroughHook(runs, (sent) => store.insert(sent, signal));
  };
  const operator = operateOn(store, store.capabilities);
  return {
    capabilities: store.capabilities,
    kind: store.kind,
    ...operator,
    result: (contract, id, options = {}) => readResult(contract, () => operator.getJob(id), options, clock),
    ...pauseOver(store),
    ...batchesOver(store),
    async enqueue(contract, payload, { signal, ...options } = {}) {
      const jobs = await insert([jobRequest(contract, payload, options)], signal);
      return jobs === null ? jobs : jobs[0]!;
    },
    enqueueMany: (requests, { signal } = {}) => insert(requests, signal),
    async signal(contract, payload, options) {
      requireCapability(store.capabilities, 'steps', 'signal');
      return store.sendSignal(makeNewSignal(contract, payload, options));
    },
    async publish(event, payload, options) {
      requireCapability(store.capabilities, 'events', 'publish');
      return publishThroughHook(makeNewEvent(event, payload, options), (sent) => store.publish(sent));
    },
    queueDepth: () => store.queueDepth(),
  };
}
