import type { ExtendedLease, LeaseToExtend } from '@duework/queue-core/ports';
import { readJobId } from '../jobs/job-id.js';
import type { Queues } from '../redis/queues.js';

/** Renews leases, each only while its claim still has it. */
export async function extendLeases(queues: Queues, batch: readonly LeaseToExtend[]): Promise<ExtendedLease[]> {
  const extended = await Promise.all(batch.map((lease) => extend(queues, lease)));
  return extended.filter((lease) => lease !== null);
}

async function extend(queues: Queues, { id, fence, leaseMs, renew }: LeaseToExtend): Promise<ExtendedLease | null> {
  const placed = readJobId(id);
  if (placed === null) return null;
  const answer = (await queues.redis.dueworkExtend(
    queues.jobKey(placed),
    queues.lockKey(placed),
    queues.leases,
    queues.of(placed.queue).keys.stalled!,
    queues.of(placed.queue).keys.active!,
    id,
    placed.id,
    fence,
    Date.now() + leaseMs,
    renew === 'never' ? 0 : leaseMs,
    renew === 'now' ? 1 : 0,
  )) as [isExtended: number, ...cancel: (string | null)[]] | null;
  if (answer === null) return null;
  const [isExtended, ...cancel] = answer;
  const [at = null, by = null, reason = null] = cancel.map((text) => text || null);
  return {
    id,
    isExtended: isExtended === 1,
    isCancelRequested: at !== null,
    cancelRequestedBy: by,
    cancelReason: reason,
  };
}
