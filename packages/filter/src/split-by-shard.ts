import { readTokens, type TermToken } from './read-tokens.js';

/** What is known of shards where a filter is split among them. */
export interface ShardPlaces {
  readonly names: readonly string[];
  /** The shard of an id, and the id there. Throws for one that is of none. */
  readonly place: (id: string) => { readonly shard: string; readonly id: string };
  /** A name of a shard. Throws for one that no shard has. */
  readonly check: (name: string) => string;
}

/** The fields whose values are ids. */
const OF_IDS = new Set(['id', 'parent', 'batch', 'bulk']);

/**
 * A filter as each shard is asked for it: ids without their names, and the shard that `shard:` names, or an id that has to
 * fit, alone. A term keeps its place, so that what a shard says about the rest is right for the whole. A filter that
 * cannot be read goes to every shard as it is: each says what is wrong with it. Throws what `place` and `check` throw.
 */
export function splitByShard(filter: string, { names, place, check }: ShardPlaces): ReadonlyMap<string, string> {
  const asked = new Map(names.map((name) => [name, filter]));
  const replace = (shard: string, { from, to }: TermToken, by: string): void => {
    const text = asked.get(shard)!;
    asked.set(shard, text.slice(0, from) + by.padEnd(to - from) + text.slice(to));
  };
  for (const token of readAll(filter)) {
    const field = fieldOf(token);
    if (field === 'shard') {
      const named = token.values.map(({ text }) => check(text));
      for (const name of [...asked.keys()])
        if (named.includes(name) === token.isNot) asked.delete(name);
        else replace(name, token, '');
    } else if (OF_IDS.has(field)) {
      const ids = token.values.map(({ text }) => place(text));
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

/** A filter of one shard, with the name of the shard before its ids; one that is none of today's language as it is. */
export function nameFilterIds(filter: string, name: (id: string) => string): string {
  let named = filter;
  for (const token of [...readAll(filter)].reverse())
    if (OF_IDS.has(fieldOf(token)))
      for (const { from, to, text } of [...token.values].reverse())
        named = named.slice(0, from) + name(text) + named.slice(to);
  return named;
}

/** The terms of a filter; none of one that cannot be read. */
function readAll(filter: string): readonly TermToken[] {
  try {
    return readTokens(filter);
  } catch {
    return [];
  }
}

const fieldOf = ({ path, field }: TermToken): string => (path.length === 0 ? (field?.text ?? '') : '');

/** As it can stand in a filter. */
const quote = (id: string): string => (/^[\w-]+$/.test(id) ? id : JSON.stringify(id));
