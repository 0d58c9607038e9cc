import { DueworkError } from '@duework/sql/errors';
import type { AskShards } from './ask-shards.js';
import type { ShardProblem } from './shards.js';

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** A list that each shard has, in the same order. */
export interface Mergeable<T> {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly names: readonly string[];
  readonly ask: AskShards;
  /** A page of one shard. */
  readonly read: (shard: string, limit: number, cursor: string | undefined) => Promise<Page<T>>;
  /** Negative: `a` stands before `b`. */
  readonly compare: (a: T, b: T) => number;
}

/**
 * Where a page ended in each shard: a cursor of its own, `true` where its list has not begun, `false` where it has ended.
 * Who did not answer is left out of the rest of the list, which would otherwise go back to its beginning: null.
 */
type Places = Readonly<Record<string, string | boolean | null>>;

/**
 * A page of several lists as one, in their common order. It ends early where a shard has looked as far as it may and has
 * more: what it finds then would stand before what others have already.
 */
export async function mergePages<T>(
  list: Mergeable<T>,
): Promise<Page<T> & { readonly problems: readonly ShardProblem[] }> {
  const { names, limit, ask, read } = list;
  const places = list.cursor === undefined ? everywhere(names) : readPlaces(list.cursor, names);
  const open = names.filter((name) => typeof places[name] === 'string' || places[name] === true);
  const begin = (shard: string): string | undefined => {
    const place = places[shard];
    return typeof place === 'string' ? place : undefined;
  };
  const { answers, problems } =
    open.length === 0
      ? { answers: [], problems: [] }
      : await ask.ask(open, (shard) => read(shard, limit, begin(shard)));
  const parts = answers.map(({ shard, answer }) => ({ shard, ...answer, taken: 0 }));
  const items = take(parts, list);
  const left = problems.concat(names.filter((name) => places[name] === null).map(leftOut));
  const next: Record<string, string | boolean | null> = { ...places };
  for (const { shard } of problems) next[shard] = null;
  const ends = await Promise.all(
    parts.map(async ({ shard, taken, items: all, nextCursor }) => {
      if (taken === all.length) return [shard, nextCursor ?? false] as const;
      if (taken === 0) return [shard, places[shard]!] as const;
      // the cursor behind the last one taken: what the shard itself says of a page of so many
      return [shard, (await read(shard, taken, begin(shard))).nextCursor ?? false] as const;
    }),
  );
  for (const [shard, place] of ends) next[shard] = place;
  const hasMore = Object.values(next).some((place) => typeof place === 'string' || place === true);
  return { items, nextCursor: hasMore ? writePlaces(next) : null, problems: left };
}

interface Part<T> extends Page<T> {
  taken: number;
}

function take<T>(parts: readonly Part<T>[], { limit, compare }: Mergeable<T>): T[] {
  const items: T[] = [];
  while (items.length < limit) {
    if (parts.some(({ taken, items: all, nextCursor }) => taken === all.length && nextCursor !== null)) break;
    let first: Part<T> | null = null;
    for (const part of parts) {
      if (part.taken === part.items.length) continue;
      if (first === null || compare(part.items[part.taken]!, first.items[first.taken]!) < 0) first = part;
    }
    if (first === null) break;
    items.push(first.items[first.taken++]!);
  }
  return items;
}

const everywhere = (names: readonly string[]): Places => Object.fromEntries(names.map((name) => [name, true]));

function leftOut(shard: string): ShardProblem {
  return {
    shard,
    problem: 'left_out',
    message: 'It did not answer on an earlier page; begin the list anew to see its part.',
  };
}

function writePlaces(places: Places): string {
  return Buffer.from(JSON.stringify(places)).toString('base64url');
}

/** Throws `invalid_cursor` for what `writePlaces` has not written for these shards. */
function readPlaces(cursor: string, names: readonly string[]): Places {
  const invalid = new DueworkError('invalid_cursor', { cursor });
  let places: unknown;
  try {
    places = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw invalid;
  }
  if (typeof places !== 'object' || places === null) throw invalid;
  const isPlace = (place: unknown): boolean =>
    place === null || typeof place === 'boolean' || (typeof place === 'string' && place.length <= 100);
  const given = places as Places;
  if (Object.keys(given).toSorted().join() !== names.toSorted().join() || !Object.values(given).every(isPlace))
    throw invalid;
  return given;
}
