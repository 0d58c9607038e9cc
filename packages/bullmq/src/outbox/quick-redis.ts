import { once } from 'node:events';
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { DueworkError } from '@duework/sql/errors';
import { saysAway } from '../redis/explain-reply.js';

/** A Redis that has not answered for so long is away. */
const ANSWER_WITHIN_MS = 5_000;
/** A connection that is being opened for the first time is waited for so long. */
const CONNECT_WITHIN_MS = 1_000;

/**
 * A connection beside the caller's own that fails at once where Redis does not answer: nothing is kept in this process to be
 * sent later, because whoever asked asks again.
 */
export function openQuickly(redis: Redis | Cluster): Redis | Cluster {
  const options = {
    enableOfflineQueue: false,
    // an answer that never comes would be waited for
    commandTimeout: ANSWER_WITHIN_MS,
    maxRetriesPerRequest: null,
    // a command whose connection broke is not sent again by the client
    autoResendUnfulfilledCommands: false,
    lazyConnect: false,
  } satisfies RedisOptions;
  const own = redis.isCluster
    ? (redis as Cluster).duplicate(undefined, { enableOfflineQueue: false, redisOptions: options })
    : (redis as Redis).duplicate(options);
  // each call says it
  own.on('error', () => {});
  return own;
}

/**
 * Asks Redis through such a connection. Throws `redis_away` where it does not answer, or takes nothing, and `redis_refused`
 * where it does not take this.
 */
export async function askQuickly<T>(redis: Redis | Cluster, ask: () => Promise<T>): Promise<T> {
  try {
    await untilOpened(redis);
    return await ask();
  } catch (error) {
    if (DueworkError.is(error)) throw error;
    const { name, message } = error as Error;
    if (name === 'ReplyError' && !saysAway(error))
      throw new DueworkError('redis_refused', { problem: message }, { cause: error });
    // a connection on which an answer never came is mute; another one is opened
    if (message === 'Command timed out') redis.disconnect(true);
    throw new DueworkError('redis_away', { problem: message }, { cause: error });
  }
}

async function untilOpened(redis: Redis | Cluster): Promise<void> {
  if (redis.status === 'ready') return;
  if (redis.status === 'reconnecting' || redis.status === 'close' || redis.status === 'end')
    throw new Error('the connection is closed');
  await once(redis, 'ready', { signal: AbortSignal.timeout(CONNECT_WITHIN_MS) });
}
