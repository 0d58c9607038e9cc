import { FIELD } from '../jobs/fields.js';
import { toKeyId } from '../jobs/encode-job.js';
import type { Queues } from '../redis/queues.js';
import { readRun } from '../redis/read-runs.js';
import { placeOf } from './find-run.js';

/** Writes that somebody has looked at a dead run; the first time stays. false: it is not dead. */
export async function acknowledgeRun(queues: Queues, id: string): Promise<boolean> {
  const placed = placeOf(id);
  const run = await readRun(queues, placed);
  if (run?.status !== 'dead') return false;
  if (!run.raw[FIELD.acknowledgedAt]) await queues.redis.hset(queues.jobKey(placed), FIELD.acknowledgedAt, Date.now());
  return true;
}

/** Frees the key of a dead or cancelled run. Returns whether the run still had it; null: the run is neither. */
export async function freeKey(queues: Queues, id: string): Promise<boolean | null> {
  const placed = placeOf(id);
  const run = await readRun(queues, placed);
  if (run === null || (run.status !== 'dead' && run.status !== 'cancelled')) return null;
  if (!run.raw[FIELD.acknowledgedAt]) await queues.redis.hset(queues.jobKey(placed), FIELD.acknowledgedAt, Date.now());
  if (run.key === null) return false;
  return (await queues.of(placed.queue).removeDeduplicationKey(toKeyId(run.type, run.key), placed.id)) === 1;
}
