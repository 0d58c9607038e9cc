import { decodeJob, type BullmqRun } from '../jobs/decode-job.js';
import { FIELD } from '../jobs/fields.js';
import type { PlacedId } from '../jobs/job-id.js';
import type { Queues } from './queues.js';

/** Runs as they are at this moment; null in the place of one that is not there. */
export async function readRuns(queues: Queues, ids: readonly PlacedId[]): Promise<(BullmqRun | null)[]> {
  const raws = await Promise.all(ids.map((id) => queues.redis.hgetall(queues.jobKey(id))));
  return raws.map((raw, at) => decodeJob(ids[at]!, raw));
}

/** All but the payload and the result, which may be large. */
const BRIEF = [
  'name',
  'opts',
  'timestamp',
  'priority',
  'finishedOn',
  'stacktrace',
  FIELD.status,
  FIELD.attempts,
  FIELD.fence,
  FIELD.worker,
  FIELD.runAt,
  FIELD.releases,
  FIELD.acknowledgedAt,
] as const;

/** The same for who counts runs, of which he knows whether they are live, completed or failed. */
export async function readBriefly(queues: Queues, ids: readonly PlacedId[]): Promise<BullmqRun[]> {
  const rows = await Promise.all(ids.map((id) => queues.redis.hmget(queues.jobKey(id), ...BRIEF)));
  return rows.flatMap((row, at) => {
    const known = row.flatMap((text, field) => (text === null ? [] : [[BRIEF[field]!, text] as const]));
    return decodeJob(ids[at]!, Object.fromEntries(known)) ?? [];
  });
}

export async function readRun(queues: Queues, id: PlacedId): Promise<BullmqRun | null> {
  return (await readRuns(queues, [id]))[0]!;
}
