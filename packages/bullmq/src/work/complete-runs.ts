import type { Settlement } from '@duework/queue-core/ports';
import { isOwnId, readJobId, type PlacedId } from '../jobs/job-id.js';
import { keepOf, type Keep } from '../jobs/read-fields.js';
import { tokenOf, type Queues } from '../redis/queues.js';
import { type Answer, type FetchedJob, findUnreadable, toFetchedJobs } from './fetch-jobs.js';
import type { FetchedAhead } from './fetched-ahead.js';
import { leavesAtOnce, removeAsTold } from '../upkeep/remove-as-told.js';
import { settleUnlessLost } from './unless-lost.js';

export type Completed = Extract<Settlement, { kind: 'complete' }>;

/** Completes runs, each only while its claim holds it. Nothing has to be known of them: a lock says whose its run is. */
export async function completeRuns(
  queues: Queues,
  ahead: FetchedAhead,
  batch: readonly Completed[],
): Promise<('succeeded' | null)[]> {
  const areOurs = await Promise.all(batch.map((one) => complete(queues, ahead, one, batch.length)));
  const done = batch.filter((_, at) => areOurs[at]).map(({ id }) => id);
  // where this is not reached, a rescue finds that they do not run
  if (done.length > 0) await queues.redis.zrem(queues.leases, ...done);
  return areOurs.map((isOurs) => (isOurs ? 'succeeded' : null));
}

async function complete(
  queues: Queues,
  ahead: FetchedAhead,
  { id: outerId, fence, result }: Completed,
  ending: number,
): Promise<boolean> {
  const placed = readJobId(outerId);
  if (placed === null) return false;
  const keep = isOwnId(placed.id) ? false : await readKeep(queues, placed);
  const job = { id: placed.id, opts: {} } as never;
  const token = tokenOf(placed, fence);
  const doesFetch = ahead.wants(placed.queue, ending);
  const move = async (): Promise<void> => {
    const moved = queues.of(placed.queue).moveToCompleted(job, result ?? null, leavesAtOnce(keep), token, doesFetch);
    if (!doesFetch) await moved;
    else ahead.put(placed.queue, await fetched(queues, placed.queue, token, moved));
  };
  const isOurs = await settleUnlessLost(queues, { ...placed, fence }, token, move);
  if (isOurs) await removeAsTold(queues, placed, 'completed', keep);
  return isOurs;
}

/** What another program has said of how long its job is kept: with the job goes its id, so that it can add it again. */
async function readKeep(queues: Queues, placed: PlacedId): Promise<Keep> {
  return keepOf(await queues.redis.hget(queues.jobKey(placed), 'opts'), 'removeOnComplete');
}

/** What a completion has fetched beside; it is done, even where that cannot be read. */
async function fetched(
  queues: Queues,
  queue: string,
  token: string,
  moved: Promise<{ readonly result: unknown }>,
): Promise<readonly FetchedJob[]> {
  try {
    return toFetchedJobs(queue, token, [(await moved).result as Answer]);
  } catch (error) {
    return findUnreadable(queues, queue, token, error, []);
  }
}
