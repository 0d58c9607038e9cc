import type { Catalog } from '@duework/contracts';
import type { JobQueue, Pause, QueueDepth } from '@duework/queue-core';
import type { Plan, QueueParts } from './plan.js';

const NOTHING = { due: 0, scheduled: 0, retrying: 0, running: 0, held: 0, oldestWaitingSeconds: 0, isAtLeast: false };
/** What the workers of a database write down, and no other queue does. */
const UNKNOWN = {
  claimed: null,
  succeeded: null,
  failed: null,
  dead: null,
  wait: null,
  run: null,
  perSecond: null,
  arrivalsPerSecond: null,
  slotsNeeded: null,
  lastFailedAt: null,
  succeededSince: null,
};

/** What waits and runs now, by queue and type, of every type that this server knows; of what was, nothing is kept. */
export const listQueues = ({ queue, catalog }: QueueParts): Plan => ({
  says: 'What happened within the last five minutes is null: this queue does not keep it.',
  handle: async (c) => c.json({ queues: await readQueues(queue, catalog) }),
});

async function readQueues(queue: JobQueue, catalog: Catalog): Promise<readonly object[]> {
  const [depths, pauses] = await Promise.all([queue.queueDepth(), queue.listPauses()]);
  const places = new Map<string, QueueDepth>();
  const add = (place: QueueDepth): void => void places.set(JSON.stringify([place.queue, place.type]), place);
  for (const one of catalog) add({ queue: one.queue, type: one.type, ...NOTHING });
  for (const depth of depths) add(depth);
  for (const { kind, name } of pauses)
    if (kind === 'queue' && [...places.values()].every((place) => place.queue !== name))
      add({ queue: name, type: '', ...NOTHING });
  return [...places.values()]
    .toSorted(byName)
    .map((depth) => ({ ...depth, ...UNKNOWN, pauses: pausesOf(depth, pauses) }));
}

const pausesOf = (place: QueueDepth, pauses: readonly Pause[]): readonly Pause[] =>
  pauses.filter(({ kind, name }) => place[kind] === name);

const byName = (left: QueueDepth, right: QueueDepth): number =>
  left.queue === right.queue ? (left.type < right.type ? -1 : 1) : left.queue < right.queue ? -1 : 1;
