import { toJobId, type PlacedId } from '../jobs/job-id.js';
import type { Keep } from '../jobs/read-fields.js';
import type { Queues } from '../redis/queues.js';
import { readRuns } from '../redis/read-runs.js';
import { removeRun } from './prune-runs.js';

/** So many leave at once at most; the next one that ends goes on. */
const AT_ONCE = 1_000;

/** Whether a job leaves in the moment in which it is over. */
export const leavesAtOnce = (keep: Keep): boolean =>
  keep === true || keep === 0 || (typeof keep === 'object' && keep.count === 0);

/**
 * Removes what other programs have added, as the options of the one say that has just ended: what ended too long ago, and all
 * but the last so many. BullMQ itself would remove Duework's own jobs with it, whose ids have to stay.
 */
export async function removeAsTold(
  queues: Queues,
  placed: PlacedId,
  state: 'completed' | 'failed',
  keep: Keep,
): Promise<void> {
  if (typeof keep === 'boolean') return;
  const { age = null, count = null } = typeof keep === 'number' ? { count: keep } : keep;
  const ended = queues.key(`${state}-of-others:${placed.queue}`);
  const nowMs = Date.now();
  await queues.redis.zadd(ended, nowMs, toJobId(placed));
  const [old, beyond] = await Promise.all([
    age === null ? [] : queues.redis.zrangebyscore(ended, '-inf', nowMs - age * 1_000, 'LIMIT', 0, AT_ONCE),
    count === null ? [] : queues.redis.zrange(ended, 0, String(-count - 1)),
  ]);
  const leaving = [...new Set([...old, ...beyond])].slice(0, AT_ONCE);
  if (leaving.length === 0) return;
  const ids = leaving.map((member) => ({ queue: placed.queue, id: member.slice(placed.queue.length + 1) }));
  const runs = await readRuns(queues, ids);
  // it may have been brought back, and run again
  await Promise.all(runs.flatMap((run) => (run === null || run.finishedAtMs === null ? [] : removeRun(queues, run))));
  await queues.redis.zrem(ended, ...leaving);
}
