import type { JobQueue, Pause, QueueDepth } from '@duework/queue-core';
import type { Plan, QueueParts } from './plan.js';

const NOTHING = { due: 0, scheduled: 0, retrying: 0, running: 0, held: 0, oldestWaitingSeconds: 0, isAtLeast: false };
/** What the workers of a database write down, and no other queue does. */
const UNKNOWN = { claimed: null, succeeded: null, failed: null, dead: null, wait: null, run: null };

/** What waits and runs now, by queue and type; of what was, nothing is kept. */
export const listQueues = ({ queue }: QueueParts): Plan => ({
  says: 'What happened within the last five minutes is null: this queue does not keep it.',
  handle: async (c) => c.json({ queues: await readQueues(queue) }),
});

async function readQueues(queue: JobQueue): Promise<readonly object[]> {
  const [depths, pauses] = await Promise.all([queue.queueDepth(), queue.listPauses()]);
  const empty = pauses
    .filter(({ kind, name }) => kind === 'queue' && depths.every((depth) => depth.queue !== name))
    .map(({ name }): QueueDepth => ({ queue: name, type: '', ...NOTHING }));
  return [...depths, ...empty]
    .toSorted(byName)
    .map((depth) => ({ ...depth, ...UNKNOWN, pauses: pausesOf(depth, pauses) }));
}

const pausesOf = (place: QueueDepth, pauses: readonly Pause[]): readonly Pause[] =>
  pauses.filter(({ kind, name }) => place[kind] === name);

const byName = (left: QueueDepth, right: QueueDepth): number =>
  left.queue === right.queue ? (left.type < right.type ? -1 : 1) : left.queue < right.queue ? -1 : 1;
