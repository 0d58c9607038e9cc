import { decodeJob, type BullmqRun } from '../jobs/decode-job.js';
import type { PlacedId } from '../jobs/job-id.js';
import type { Queues } from './queues.js';

/** Runs as they are at this moment; null in the place of one that is not there. */
export async function readRuns(queues: Queues, ids: readonly PlacedId[]): Promise<(BullmqRun | null)[]> {
  const raws = await Promise.all(ids.map((id) => queues.redis.hgetall(queues.jobKey(id))));
  return raws.map((raw, at) => decodeJob(ids[at]!, raw));
}

export async function readRun(queues: Queues, id: PlacedId): Promise<BullmqRun | null> {
  return (await readRuns(queues, [id]))[0]!;
}
