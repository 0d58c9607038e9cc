import type { LostLook, RescuedRun, WhoseRuns } from '@duework/queue-core/ports';
import { readJobId } from '../jobs/job-id.js';
import type { Queues } from '../redis/queues.js';
import { readRuns } from '../redis/read-runs.js';
import { endLost } from './end-lost.js';

/**
 * Whether the lease of any run has expired. Jobs whose worker died after it had fetched them, and before their attempts
 * began, are given back by BullMQ's own check, which looks no more often than its interval.
 */
export async function lookForLost(queues: Queues, nowMs: number): Promise<LostLook> {
  const [expired] = await Promise.all([
    queues.redis.zcount(queues.leases, '-inf', `(${nowMs}`),
    giveBackStalled(queues),
  ]);
  return { hasExpired: expired > 0, missing: [] };
}

async function giveBackStalled(queues: Queues): Promise<void> {
  await Promise.all((await queues.names()).map((queue) => queues.of(queue).moveStalledJobsToWait()));
}

/** Gives back runs whose lease has expired, the longest expired first. */
export async function rescueRuns(
  queues: Queues,
  limit: number,
  { expiredBeforeMs = Infinity }: Pick<WhoseRuns, 'expiredBeforeMs'>,
): Promise<RescuedRun[]> {
  const endMs = Math.min(Date.now(), expiredBeforeMs);
  const members = await queues.redis.zrangebyscore(queues.leases, '-inf', `(${endMs}`, 'LIMIT', 0, limit);
  const ids = members.map((member) => readJobId(member)!);
  const runs = await readRuns(queues, ids);
  const rescued = await Promise.all(
    runs.map(async (run, at) => {
      if (run?.status === 'running') return endLost(queues, run);
      // its worker died, or lost its connection, after it had settled it
      await queues.redis.zrem(queues.leases, members[at]!);
      return null;
    }),
  );
  return rescued.filter((run) => run !== null);
}
