import { readTokens, type TermToken } from '@duework/filter';
import { ApiError } from '../api-error.js';
import { isShardName } from '@duework/queue-core/internals';
import { checkShard, nameId, placeId, type ShardNames } from './shard-ids.js';

/** The fields whose values are ids. */
const OF_IDS = new Set(['id', 'parent', 'batch']);

/**
 * A filter as each shard is asked for it: ids without their names, and the shard that `shard:` names, or an id that has to
 * fit, alone. A term keeps its place, so that what a shard says about the rest is right for the whole. A filter that
 * cannot be read goes to every shard as it is: each says what is wrong with it. Throws `unknown_shard`, `shard_not_given`.
 */
export function splitFilter(shards: ShardNames, filter: string): ReadonlyMap<string, string> {
  let tokens: readonly TermToken[];
  try {
    tokens = readTokens(filter);
  } catch {
    tokens = [];
  }
  const asked = new Map(shards.names.map((name) => [name, filter]));
  const replace = (shard: string, { from, to }: TermToken, by: string): void => {
    const text = asked.get(shard)!;
    asked.set(shard, text.slice(0, from) + by.padEnd(to - from) + text.slice(to));
  };
  for (const token of tokens) {
    const field = token.path.length === 0 ? token.field?.text : undefined;
    if (field === 'shard') {
      const named = token.values.map(({ text }) => checkNamed(shards, text));
      for (const name of [...asked.keys()])
        if (named.includes(name) === token.isNot) asked.delete(name);
        else replace(name, token, '');
    } else if (field !== undefined && OF_IDS.has(field)) {
      const ids = token.values.map(({ text }) => placeId(shards, text));
      for (const name of [...asked.keys()]) {
        const own = ids.filter(({ shard }) => shard === name).map(({ id }) => (field === 'batch' ? quote(id) : id));
        if (own.length > 0) replace(name, token, `${token.isNot ? '-' : ''}${field}:${own.join(',')}`);
        else if (token.isNot) replace(name, token, '');
        else asked.delete(name);
      }
    }
  }
  return asked;
}

/** A filter of one shard, with the name of the shard before its ids. */
export function nameFilter(shard: string, filter: string): string {
  let named = filter;
  try {
    for (const token of [...readTokens(filter)].reverse())
      if (token.path.length === 0 && OF_IDS.has(token.field?.text ?? ''))
        for (const { from, to, text } of [...token.values].reverse())
          named = named.slice(0, from) + nameId(shard, text) + named.slice(to);
  } catch {
    // it was no filter of today's language
  }
  return named;
}

function checkNamed(shards: ShardNames, name: string): string {
  if (!isShardName(name))
    throw new ApiError('unknown_shard', `${JSON.stringify(name.slice(0, 100))} is no name of a shard.`);
  return checkShard(shards, name);
}

/** As it can stand in a filter. */
const quote = (id: string): string => (/^[\w-]+$/.test(id) ? id : JSON.stringify(id));
