import type { Cluster, Redis } from 'ioredis';
import { Queues, type BullmqConnection } from '../redis/queues.js';

/** A job that had failed for good in BullMQ, and came into the table dead. */
export interface FailedJob {
  readonly queue: string;
  readonly id: string;
  /** The fields of its hash, as they were, but for its data. */
  readonly hash: Readonly<Record<string, string>>;
  /** JSON, for where Redis does not have its data any more. */
  readonly data: string;
}

/** 0: another job has its id now. A job that somebody has retried since is the same job. */
const PUT_BACK = {
  numberOfKeys: 3,
  lua: `
    local job, completed, failed = unpack(KEYS)
    local id, finishedOn, data, timestamp = unpack(ARGV, 1, 4)
    local was, isMoved = unpack(redis.call('HMGET', job, 'timestamp', 'dw:movedDead'))
    if was and not isMoved then return was == timestamp and 1 or 0 end
    redis.call('HDEL', job, 'dw:moved', 'dw:movedDead', 'dw:movedTo', 'dw:status', 'dw:runAt', 'returnvalue')
    redis.call('ZREM', completed, id)
    if not was then redis.call('HSET', job, 'data', data) end
    redis.call('HSET', job, unpack(ARGV, 5))
    redis.call('ZADD', failed, finishedOn, id)
    return 1`,
} as const;

type PuttingBack = { dueworkPutBackFailed(...args: readonly (string | number)[]): Promise<number> };

/**
 * Puts jobs back among those of BullMQ's that have failed, under the ids that they had. One that is there already stays as it
 * is. Answers for each whether it is there: another job may have its id by now. Throws errors of Redis.
 */
export async function putBackFailed(
  connection: BullmqConnection,
  jobs: readonly FailedJob[],
): Promise<readonly boolean[]> {
  const queues = new Queues(connection);
  (queues.redis as Redis | Cluster).defineCommand('dueworkPutBackFailed', PUT_BACK);
  const redis = queues.redis as unknown as PuttingBack;
  const answers = await Promise.all(
    jobs.map(({ queue, id, hash, data }) => {
      const { keys } = queues.of(queue);
      const fields = Object.entries(hash).flat();
      const { finishedOn = Date.now(), timestamp = '' } = hash;
      const places = [queues.jobKey({ queue, id }), keys.completed!, keys.failed!];
      return redis.dueworkPutBackFailed(...places, id, finishedOn, data, timestamp, ...fields);
    }),
  );
  return answers.map((answer) => answer === 1);
}
