import { DueworkError, type JobQueue } from '@duework/queue-core';
import { ApiError } from '../api-error.js';
import type { HttpLog } from '../observe/http-log.js';

/**
 * The queue in a Redis, of which an error that is none of the queue's own says that Redis did not answer: its reason, which may
 * have an address in it, is for the log. Any other queue is returned as it is.
 */
export function tellAway(queue: JobQueue, log: HttpLog): JobQueue {
  if (queue.kind !== 'Redis') return queue;
  const ask =
    (verb: (...given: unknown[]) => Promise<unknown>) =>
    async (...given: unknown[]): Promise<unknown> => {
      try {
        return await verb(...given);
      } catch (error) {
        // a mistake in code is told as that
        const isOfCode = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
        if (DueworkError.is(error) || error instanceof ApiError || isOfCode || !(error instanceof Error)) throw error;
        log.warn({ reason: error.message }, 'redis.failed');
        throw new DueworkError('redis_away', { problem: 'the log has the reason.' }, { cause: error });
      }
    };
  return Object.fromEntries(
    Object.entries(queue).map(([name, value]) => [name, typeof value === 'function' ? ask(value as never) : value]),
  ) as unknown as JobQueue;
}
