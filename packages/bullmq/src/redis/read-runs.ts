import { decodeJob, type BullmqRun, type RawJob } from '../jobs/decode-job.js';
import { FIELD } from '../jobs/fields.js';
import type { PlacedId } from '../jobs/job-id.js';
import { isOwn, readWhole } from '../jobs/read-fields.js';
import { PER_MS } from './move-run.js';
import type { Queues } from './queues.js';

/** Runs as they are at this moment; null in the place of one that is not there. */
export async function readRuns(queues: Queues, ids: readonly PlacedId[]): Promise<(BullmqRun | null)[]> {
  const raws = await Promise.all(ids.map((id) => queues.redis.hgetall(queues.jobKey(id))));
  return decodeAll(queues, ids, raws);
}

/**
 * Where BullMQ has another program's job wait, its place in line alone says until when: that program may have changed it. Jobs
 * of our own say it themselves.
 */
async function decodeAll(
  queues: Queues,
  ids: readonly PlacedId[],
  raws: readonly RawJob[],
): Promise<(BullmqRun | null)[]> {
  return Promise.all(
    raws.map(async (raw, at) => {
      const { queue, id } = ids[at]!;
      const isDelayed = readWhole(raw.delay, 1, 0) > 0 && raw.finishedOn === undefined && !isOwn(raw.opts);
      const score = isDelayed ? await queues.redis.zscore(queues.of(queue).keys.delayed!, id) : null;
      return decodeJob(ids[at]!, raw, score === null ? null : Math.floor(Number(score) / PER_MS));
    }),
  );
}

/** All but the payload and the result, which may be large. */
const BRIEF = [
  'name',
  'opts',
  'timestamp',
  'delay',
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
  FIELD.errorCode,
  FIELD.errorType,
] as const;

/** The same for who counts runs, of which he knows whether they are live, completed or failed. */
export async function readBriefly(queues: Queues, ids: readonly PlacedId[]): Promise<BullmqRun[]> {
  const rows = await Promise.all(ids.map((id) => queues.redis.hmget(queues.jobKey(id), ...BRIEF)));
  const raws = rows.map((row) =>
    Object.fromEntries(row.flatMap((text, field) => (text === null ? [] : [[BRIEF[field]!, text] as const]))),
  );
  return (await decodeAll(queues, ids, raws)).flatMap((run) => run ?? []);
}

export async function readRun(queues: Queues, id: PlacedId): Promise<BullmqRun | null> {
  return (await readRuns(queues, [id]))[0]!;
}
