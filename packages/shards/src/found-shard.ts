import type { Queryable } from '@duework/queue-core';
import { DueworkError } from '@duework/sql/errors';
import { checkShardName } from '@duework/queue-core/internals';
import { countLive, readShard, setClosed, writeShard, type ShardRow } from './sql/shard-row.js';

export { readShard, type ShardRow };

/**
 * Makes a database a shard: from now on its workers say its name before the ids of its jobs. Done again with the same name it
 * changes nothing. Throws `invalid_option` for a name that is none, and `shard_founded` where it has another name.
 */
export async function foundShard(db: Queryable, name: string): Promise<ShardRow> {
  checkShardName(name);
  const shard = await writeShard(db, name);
  if (shard.name !== name) throw new DueworkError('shard_founded', { name: shard.name, asked: name });
  return shard;
}

/**
 * Closes a shard, or opens it again: while it is closed, no job goes there that any shard would do for. Its own jobs run on,
 * and whoever asks for it still gets it. null: the database is no shard.
 */
export async function closeShard(db: Queryable, isClosed = true): Promise<ShardRow | null> {
  return setClosed(db, isClosed);
}

/** How many jobs wait or run in a shard: once it is closed and has none, it can go. */
export async function countLiveJobs(db: Queryable): Promise<number> {
  return countLive(db);
}
