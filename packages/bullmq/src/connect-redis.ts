import { Redis } from 'ioredis';
import { DueworkError } from '@duework/sql/errors';

/** Longer than any command of BullMQ takes; one that has no answer by then fails, and is tried again by whoever asked. */
const ANSWER_WITHIN_MS = 10_000;
const CONNECT_WITHIN_MS = 5_000;
const CLOSE_WITHIN_MS = 100;

export interface RedisConnection {
  readonly connection: Redis;
  /** Resolves where it answers. Throws `redis_away`. */
  check(): Promise<void>;
  close(): void;
}

/**
 * Connects a program to one Redis as its worker needs it: a command waits for a Redis that is away, at most 10 s, and the
 * connection comes back by itself. `onLost` is told of each time that it is lost.
 *
 * @param url `redis://USER:PASSWORD@HOST:6379/0`, or `rediss://` for TLS
 */
export function connectRedis(url: string, onLost: (error: Error) => void = () => {}): RedisConnection {
  const connection = new Redis(url, {
    // as BullMQ demands
    maxRetriesPerRequest: null,
    commandTimeout: ANSWER_WITHIN_MS,
    connectTimeout: CONNECT_WITHIN_MS,
    // a socket that was never open keeps no program from ending
    disconnectTimeout: CLOSE_WITHIN_MS,
  });
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
      } catch (cause) {
        throw new DueworkError('redis_away', { problem: (cause as Error).message }, { cause });
      }
    },
    close: () => connection.disconnect(),
  };
}

/** Whether it is connected, or is soon. */
function isReady(connection: Redis): Promise<boolean> {
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
