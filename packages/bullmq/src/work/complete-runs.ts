import type { Settlement } from '@duework/queue-core/ports';
import { readJobId } from '../jobs/job-id.js';
import { tokenOf, type Queues } from '../redis/queues.js';
import { settleUnlessLost } from './unless-lost.js';

export type Completed = Extract<Settlement, { kind: 'complete' }>;

/** Completes runs, each only while its claim holds it. Nothing has to be known of them: a lock says whose its run is. */
export async function completeRuns(queues: Queues, batch: readonly Completed[]): Promise<('succeeded' | null)[]> {
  const areOurs = await Promise.all(batch.map((one) => complete(queues, one)));
  const done = batch.filter((_, at) => areOurs[at]).map(({ id }) => id);
  // where this is not reached, a rescue finds that they do not run
  if (done.length > 0) await queues.redis.zrem(queues.leases, ...done);
  return areOurs.map((isOurs) => (isOurs ? 'succeeded' : null));
}

async function complete(queues: Queues, { id: outerId, fence, result }: Completed): Promise<boolean> {
  const placed = readJobId(outerId);
  if (placed === null) return false;
  const job = { id: placed.id, opts: {} } as never;
  const token = tokenOf(fence);
  const move = () => queues.of(placed.queue).moveToCompleted(job, result ?? null, false, token, false);
  return settleUnlessLost(queues, { ...placed, fence }, token, move);
}
