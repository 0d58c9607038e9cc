import type { BullmqRun } from '../jobs/decode-job.js';
import type { Queues } from '../redis/queues.js';
import { readBriefly } from '../redis/read-runs.js';

/** So many runs of a queue are looked at where they are counted by their type. */
export const MAX_SCANNED = 10_000;

export interface LiveRuns {
  readonly queue: string;
  readonly runs: readonly BullmqRun[];
  /** There are more that were not looked at. */
  readonly hasMore: boolean;
}

/** The runs of each queue that wait or run, as far as they are looked at. */
export async function scanLive(queues: Queues): Promise<LiveRuns[]> {
  return Promise.all((await queues.names()).map((queue) => scanQueue(queues, queue)));
}

async function scanQueue(queues: Queues, queue: string): Promise<LiveRuns> {
  const ids = await listLive(queues, queue);
  const runs = await readBriefly(
    queues,
    ids.slice(0, MAX_SCANNED).map((id) => ({ queue, id })),
  );
  // one that has ended since is no longer live
  const live = runs.filter((run) => run.finishedAtMs === null);
  return { queue, runs: live, hasMore: ids.length > MAX_SCANNED };
}

/** In one transaction, as of one moment: a run that moves from list to list meanwhile is in one of them. */
async function listLive(queues: Queues, queue: string): Promise<string[]> {
  const { keys } = queues.of(queue);
  // one more, to see whether there are more
  const last = MAX_SCANNED;
  const answers = await queues.redis
    .multi()
    .lrange(keys.active!, 0, last)
    .lrange(keys.wait!, 0, last)
    .zrange(keys.prioritized!, 0, String(last))
    .zrange(keys.delayed!, 0, String(last))
    .exec();
  const ids = answers!.flatMap(([error, list]) => {
    if (error !== null) throw error;
    return list as string[];
  });
  return [...new Set(ids)];
}
