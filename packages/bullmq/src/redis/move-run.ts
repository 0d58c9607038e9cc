import type { BullmqRun } from '../jobs/decode-job.js';
import type { Fields } from '../jobs/fields.js';
import type { Queues } from './queues.js';

/** Where a run goes: back among those that wait for their moment, or among those that are over. */
export interface Place {
  readonly to: 'delayed' | 'failed';
  readonly atMs: number;
}

/** BullMQ's scores of what is delayed: a millisecond has room for so many jobs in their order. */
export const PER_MS = 4_096;

/** moved: it is there. changed: it is not as it was read, so read again. held: a claim has it. */
export type Moved = 'moved' | 'changed' | 'held';

/** Moves a run that nobody holds, only where it still is as it was read. */
export async function moveRun(queues: Queues, run: BullmqRun, place: Place, fields: Fields): Promise<Moved> {
  const { keys } = queues.of(run.queue);
  const answer = await queues.redis.dueworkMove(
    queues.jobKey(run),
    queues.lockKey(run),
    keys.active!,
    keys.wait!,
    keys.prioritized!,
    keys.delayed!,
    keys.failed!,
    queues.leases,
    keys.events!,
    queues.memberOf(run),
    run.id,
    // what BullMQ itself has finished keeps the status of its last claim
    run.raw['dw:status'] || 'queued',
    run.fence,
    place.to,
    place.to === 'delayed' ? place.atMs * PER_MS : place.atMs,
    place.to === 'delayed' ? 'waiting' : 'failed',
    ...Object.entries(fields).flat(),
  );
  return answer === 1 ? 'moved' : answer === -1 ? 'held' : 'changed';
}
