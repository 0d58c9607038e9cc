import type { Queryable } from '@duework/queue-core';
import { DueworkError } from '@duework/sql/errors';
import { checkShardName } from '@duework/queue-core/internals';
import { countLive, readShard, setClosed, writeShard, type ShardRow } from './sql/shard-row.js';

export { readShard, type ShardRow };

/**
 * Makes a database a shard: from now on its workers put its name before the ids of its jobs. The same name again
 * changes nothing. Throws `invalid_option` for an invalid name, and `shard_founded` if it has another name.
 */
export async function foundShard(db: Queryable, name: string): Promise<ShardRow> {
  checkShardName(name);
  const shard = await writeShard(db, name);
  if (shard.name !== name) throw new DueworkError('shard_founded', { name: shard.name, asked: name });
  return shard;
}

/**
 * Closes a shard, or opens it again: a closed one gets no jobs that may go to any shard. Its own jobs run on, and you
 * can still choose it by name. null: the database is no shard.
 */
export async function closeShard(db: Queryable, isClosed = true): Promise<ShardRow | null> {
  return setClosed(db, isClosed);
}

/** How many jobs wait or run in a shard: once it is closed and has none, it can go. */
export async function countLiveJobs(db: Queryable): Promise<number> {
  return countLive(db);
}
