import type { NewRun } from '@duework/queue-core/ports';
import { writeRuns } from '../enqueue/write-runs.js';
import type { BullmqRun } from '../jobs/decode-job.js';
import { FIELD } from '../jobs/fields.js';
import { readJobId, toJobId } from '../jobs/job-id.js';
import type { Queues } from '../redis/queues.js';
import { readRun } from '../redis/read-runs.js';
import { readContract } from '../upkeep/known-contracts.js';

/** A larger payload stays with its run, because the limit of 64 KiB is for all that is told. */
const MOST_BYTES = 49_152;
/** Who dies between an end and telling of it leaves that to others, who wait for so long. */
const LEFT_MS = 30_000;

/** Enqueues the type that is to be told of the end of a run, once for each key; nothing for a type that nobody knows. */
export async function tellEnd(queues: Queues, type: string | undefined, payload: object, key: string): Promise<void> {
  const contract = type === undefined ? null : await readContract(queues, type);
  if (contract === null) return;
  const { version, queue, priority, maxAttempts, terms } = contract;
  const told: NewRun = {
    type: type!,
    version,
    queue,
    priority,
    maxAttempts,
    runAt: null,
    delayMs: 0,
    key,
    unique: null,
    keyWindowMs: null,
    payloadJson: JSON.stringify(payload),
    metaJson: null,
    flow: Object.keys(terms).length === 0 ? null : { terms },
  };
  await writeRuns(queues, [told]);
}

/**
 * Ends a run as dead, and tells of it where that was agreed. Before it ends it is noted that somebody is to be told, so that
 * another worker tells it where this one dies in between.
 */
export async function endAndTell(queues: Queues, run: BullmqRun, end: () => Promise<boolean>): Promise<boolean> {
  if (run.terms?.onDead === undefined) return end();
  const id = toJobId(run);
  await queues.redis.zadd(queues.key('telling'), Date.now(), id);
  const isOurs = await end();
  if (isOurs) await tellDead(queues, id);
  return isOurs;
}

/** Tells of a run that is dead, and forgets that somebody is to be told. */
async function tellDead(queues: Queues, id: string): Promise<void> {
  const run = await readRun(queues, readJobId(id)!);
  if (run?.status === 'dead') {
    const { type, fence, attempts, raw, payloadJson, metaJson, terms } = run;
    const isTold =
      (await readContract(queues, type))?.isSensitive === false && Buffer.byteLength(payloadJson) <= MOST_BYTES;
    const payload = {
      jobId: id,
      type,
      errorCode: raw[FIELD.errorCode],
      error: raw[FIELD.error],
      attempts,
      meta: metaJson === null ? null : (JSON.parse(metaJson) as unknown),
      ...(isTold ? { payload: JSON.parse(payloadJson) as unknown } : {}),
    };
    await tellEnd(queues, terms?.onDead, payload, `dead:${id}:${fence}`);
  }
  await queues.redis.zrem(queues.key('telling'), id);
}

/** Tells of the deaths whose own workers have not come to it. */
export async function tellLeft(queues: Queues, limit: number): Promise<void> {
  const before = Date.now() - LEFT_MS;
  const ids = await queues.redis.zrangebyscore(queues.key('telling'), '-inf', before, 'LIMIT', 0, limit);
  for (const id of ids) await tellDead(queues, id);
}
