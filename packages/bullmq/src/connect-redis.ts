import { Cluster, Redis } from 'ioredis';
import { DueworkError } from '@duework/sql/errors';
import { checkPlace } from './redis/check-place.js';
import { parseRedisUrl, type RedisAddress } from './redis/parse-redis-url.js';

/** Longer than any command of BullMQ takes; one that has no answer by then fails, and is tried again by whoever asked. */
const ANSWER_WITHIN_MS = 10_000;
const CONNECT_WITHIN_MS = 5_000;
const CLOSE_WITHIN_MS = 100;

export interface RedisConnection {
  readonly connection: Redis | Cluster;
  /**
   * Resolves if it answers and takes jobs. Throws `redis_away`, also for a replica; `redis_refused` if it lacks the
   * database.
   */
  check(): Promise<void>;
  close(): void;
}

/**
 * Connects a program to a Redis, or to a cluster, as its worker needs it: a command waits at most 10 s for an
 * unavailable Redis, and the connection is opened again automatically. `onLost` is called each time that it is lost.
 *
 * @param url `redis://USER:PASSWORD@HOST:6379/0`, or `rediss://` for TLS; of a cluster some of its members,
 * `redis+cluster://USER:PASSWORD@HOST:6379,HOST:6379`, or `rediss+cluster://`
 * @throws DueworkError `invalid_option` for another URL
 */
export function connectRedis(url: string, onLost: (error: Error) => void = () => {}): RedisConnection {
  const connection = open(parseRedisUrl(url));
  let lost: Error | null = null;
  // it is told of each try to connect again
  connection.on('error', (error: Error) => {
    if (lost === null) onLost(error);
    lost = error;
  });
  connection.on('ready', () => (lost = null));
  return {
    connection,
    async check() {
      try {
        // a command would be kept for a Redis that is away, and be waited for
        if (!(await isReady(connection))) throw lost ?? new Error(`no answer within ${CONNECT_WITHIN_MS} ms`);
        await connection.ping();
        await checkPlace(connection);
      } catch (cause) {
        if (DueworkError.is(cause)) throw cause;
        throw new DueworkError('redis_away', { problem: (cause as Error).message }, { cause });
      }
    },
    close: () => connection.disconnect(),
  };
}

const OPTIONS = {
  // as BullMQ demands
  maxRetriesPerRequest: null,
  commandTimeout: ANSWER_WITHIN_MS,
  connectTimeout: CONNECT_WITHIN_MS,
  // a socket that was never open keeps no program from ending
  disconnectTimeout: CLOSE_WITHIN_MS,
  // it has become a replica: whoever has its address now is asked for anew
  reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
} as const;

function open({ isCluster, hosts, options }: RedisAddress): Redis | Cluster {
  if (!isCluster) return new Redis({ ...hosts[0], ...options, ...OPTIONS });
  return new Cluster([...hosts], {
    redisOptions: { ...OPTIONS, ...options },
    // a certificate is for a name, and members tell their names where they have certificates
    ...(options.tls ? { dnsLookup: (address, callback) => callback(null, address) } : {}),
  });
}

/** Whether it is connected, or is soon. */
function isReady(connection: Redis | Cluster): Promise<boolean> {
  if (connection.status === 'ready') return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (answer: boolean) => (): void => {
      clearTimeout(timer);
      connection.off('ready', ready);
      resolve(answer);
    };
    const ready = end(true);
    const timer = setTimeout(end(false), CONNECT_WITHIN_MS);
    connection.on('ready', ready);
  });
}
