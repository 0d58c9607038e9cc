import type { JobQueue } from '@duework/queue-core';
import { queueOver, type QueueStore } from '@duework/queue-core/ports';
import { BULLMQ_CAPABILITIES } from './capabilities.js';
import { writeRuns } from './enqueue/write-runs.js';
import { acknowledgeRun, freeKey } from './operate/acknowledge-run.js';
import { cancelRun } from './operate/cancel-run.js';
import { findMoved, type KnowsMoves, MOVED_TO } from './operate/find-moved.js';
import { findRun, statusOf } from './operate/find-run.js';
import { listRuns } from './operate/list-runs.js';
import { endPause, readPauses, writePause } from './operate/pauses.js';
import { readQueueDepth } from './operate/read-queue-depth.js';
import { retryRun } from './operate/retry-run.js';
import { updateRun } from './operate/update-run.js';
import { type BullmqConnection, Queues } from './redis/queues.js';
import { tellAway } from './redis/explain-reply.js';
import { refuse } from './refuse.js';

/**
 * The queue of producers and operators over BullMQ's queues on Redis. What is enqueued here commits with nothing of a
 * database: it is written when the call has returned.
 *
 * @throws DueworkError `invalid_option` for a prefix that the connection cannot have
 */
export function openBullmqQueue(options: BullmqConnection): JobQueue {
  const queues = new Queues(options);
  const knows: KnowsMoves = { [MOVED_TO]: (id) => findMoved(queues, id) };
  return Object.assign(queueOver(storeOver(queues)), knows);
}

/** The same as the ports of producers and operators. */
export function bullmqQueueStore(options: BullmqConnection): QueueStore {
  return storeOver(new Queues(options));
}

function storeOver(queues: Queues): QueueStore {
  return {
    capabilities: BULLMQ_CAPABILITIES,
    kind: 'Redis',
    insert: (runs) => writeRuns(queues, runs).catch(tellAway),
    insertBatch: () => refuse('batches', 'batch'),
    sendSignal: () => refuse('steps', 'signal'),
    publish: () => refuse('events', 'publish'),
    find: (id) => findRun(queues, id),
    statusOf: (id) => statusOf(queues, id),
    list: (filter) => listRuns(queues, filter),
    retry: (id, how) => retryRun(queues, id, how),
    hasStep: async () => false,
    cancel: (id, act) => cancelRun(queues, id, act),
    update: (id, update) => updateRun(queues, id, update),
    acknowledge: (id) => acknowledgeRun(queues, id),
    freeKey: (id) => freeKey(queues, id),
    pause: (pause) => writePause(queues, pause),
    resume: (kind, name, act) => endPause(queues, kind, name, act),
    pauses: () => readPauses(queues, Date.now()),
    findBatch: () => refuse('batches', 'batch'),
    listBatches: () => refuse('batches', 'batch'),
    cancelBatch: () => refuse('batches', 'batch'),
    queueDepth: () => readQueueDepth(queues),
  };
}
