import type { Redis } from 'ioredis';
import { DueworkError } from '@duework/sql/errors';

/**
 * Refuses a Redis that throws keys away when its memory is full: jobs that were acknowledged would be gone without a word.
 * Where it does not tell its policy, because the user may not ask, a warning of the process says so. Throws
 * `redis_may_evict`.
 */
export async function checkPolicy(redis: Redis): Promise<void> {
  const policy = await readPolicy(redis);
  if (policy === 'noeviction') return;
  if (policy !== null) throw new DueworkError('redis_may_evict', { policy });
  process.emitWarning(
    'This Redis does not say whether it keeps all jobs: see that its maxmemory-policy is noeviction.',
    {
      code: 'DUEWORK_REDIS_POLICY',
    },
  );
}

/** null: it does not say. */
async function readPolicy(redis: Redis): Promise<string | null> {
  try {
    return /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1] ?? null;
  } catch (error) {
    // its error, and not one of the connection
    if (error instanceof Error && error.name === 'ReplyError') return null;
    throw error;
  }
}
