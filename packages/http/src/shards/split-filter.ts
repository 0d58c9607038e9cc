import { nameFilterIds, splitByShard } from '@duework/filter';
import { isShardName } from '@duework/queue-core/internals';
import { ApiError } from '../api-error.js';
import { checkShard, nameId, placeId, type ShardNames } from './shard-ids.js';

/**
 * A filter as each shard is asked for it; a shard that cannot have what fits is not among them. Throws `unknown_shard`,
 * `shard_not_given`.
 */
export function splitFilter(shards: ShardNames, filter: string): ReadonlyMap<string, string> {
  return splitByShard(filter, {
    names: shards.names,
    place: (id) => placeId(shards, id),
    check: (name) => checkNamed(shards, name),
  });
}

/** A filter of one shard, with the name of the shard before its ids. */
export const nameFilter = (shard: string, filter: string): string => nameFilterIds(filter, (id) => nameId(shard, id));

function checkNamed(shards: ShardNames, name: string): string {
  if (!isShardName(name))
    throw new ApiError('unknown_shard', `${JSON.stringify(name.slice(0, 100))} is not the name of a shard.`);
  return checkShard(shards, name);
}
