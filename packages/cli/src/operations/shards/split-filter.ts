import { splitByShard } from '@duework/filter';
import { PlainError } from '../../plain-error.js';
import type { AllShards } from './all-shards.js';

/** Finds no job: what one shard is asked for where no shard can have what fits. */
const NOTHING = 'id:0';

/** The filter that each shard is asked for; a shard that cannot have what fits is not among them. */
export function splitFilter(shards: Pick<AllShards, 'names' | 'place'>, filter: string): ReadonlyMap<string, string> {
  const { names } = shards;
  const split = splitByShard(filter, {
    names,
    place(id) {
      const { shard, number } = shards.place(id);
      return { shard, id: number };
    },
    check(name) {
      if (names.includes(name)) return name;
      throw new PlainError('unknown_shard', `There is no shard ${name}: there are ${names.join(', ')}.`);
    },
  });
  return split.size === 0 ? new Map([[names[0]!, NOTHING]]) : split;
}
