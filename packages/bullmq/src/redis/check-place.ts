import type { Cluster, Redis } from 'ioredis';
import { DueworkError } from '@duework/sql/errors';

/**
 * Refuses what a connection would write to the wrong place, or nowhere: to database 0 where the one that it asked for is not
 * there, which ioredis only mentions, or to a replica. What its user may not ask is not checked. Throws `redis_refused` and
 * `redis_away`.
 */
export async function checkPlace(connection: Redis | Cluster): Promise<void> {
  // a cluster has one database, and sends each command to whoever takes it
  if (connection.isCluster) return;
  const redis = connection as Redis;
  const asked = redis.options.db ?? 0;
  const actual = /\bdb=(\d+)/.exec((await ask(() => redis.client('INFO'))) ?? '')?.[1];
  if (actual !== undefined && Number(actual) !== asked)
    throw new DueworkError('redis_refused', { problem: `it has no database ${asked}` });
  const about = (await ask(() => redis.info('replication'))) ?? '';
  if (/^role:slave/m.test(about))
    throw new DueworkError('redis_away', { problem: 'READONLY this is a replica: give the address of its primary' });
}

/** null: its user may not ask. */
async function ask(send: () => Promise<unknown>): Promise<string | null> {
  try {
    return String(await send());
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') return null;
    throw error;
  }
}
