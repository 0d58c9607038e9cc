import { ApiError } from '../api-error.js';

/** An id with the name of its shard. */
const NAMED = /^([a-z][a-z0-9_]{0,15})\.([\w-]{1,64})$/;
/** What a database gives out: nothing that has a meaning in an address. */
const BARE = /^[\w-]{1,64}$/;

/** An id taken apart. */
export interface PlacedId {
  readonly shard: string;
  /** As its database knows it. */
  readonly id: string;
}

/** What ids need to be taken apart. */
export interface ShardNames {
  readonly names: readonly string[];
  /** The shard of ids without a name; undefined: there are none. */
  readonly bareIds: string | undefined;
}

/** An id as it is seen from outside: `b.2078000000000070`. One that has a name keeps it. */
export const nameId = (shard: string, id: string): string => (NAMED.test(id) ? id : `${shard}.${id}`);

/**
 * The shard that an id names, and the id there. Throws `unknown_shard`, `shard_not_given` for an id without a name where nothing
 * says whose those are, and `not_found` for what is no id at all.
 */
export function placeId(shards: ShardNames, given: string): PlacedId {
  const [, shard, id] = NAMED.exec(given) ?? [];
  if (shard !== undefined) return { shard: checkShard(shards, shard), id: id! };
  if (!BARE.test(given))
    throw new ApiError(
      'not_found',
      `${JSON.stringify(given.slice(0, 100))} is not an id. Ids look like ${shards.names[0]}.17.`,
    );
  if (shards.bareIds !== undefined) return { shard: shards.bareIds, id: given };
  throw shardNotGiven(
    shards.names,
    `The id ${JSON.stringify(given.slice(0, 100))} does not begin with the name of its shard, as in ${shards.names[0]}.${given.slice(0, 20)}.`,
  );
}

/** Throws `unknown_shard` for a name that no shard has. */
export function checkShard({ names }: Pick<ShardNames, 'names'>, name: string): string {
  if (names.includes(name)) return name;
  throw new ApiError('unknown_shard', `There is no shard ${JSON.stringify(name)}; there are ${names.join(', ')}.`);
}

/** The refusal of a request that does not say its shard, and has to. */
export const shardNotGiven = (names: readonly string[], why: string): ApiError =>
  new ApiError('shard_not_given', `${why} The shards are ${names.join(', ')}.`);
