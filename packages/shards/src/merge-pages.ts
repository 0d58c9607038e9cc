import { mergeRows } from '@duework/queue-core/internals';
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
  /** The cursor of a shard behind one of its rows. Absent: the shard is asked for it. */
  readonly cursorBehind?: ((row: T) => string) | undefined;
}

/** Where a page ended in each shard: a cursor of its own, `true` where its list has not begun, `false` where it has ended. */
type Places = Readonly<Record<string, string | boolean>>;

/**
 * A page of several lists as one, in their common order. A shard that does not answer keeps its place: its part comes as soon
 * as it does. The list ends where all that answer are at their end, and `problems` of that page says whose part is missing.
 */
export async function mergePages<T>(
  list: Mergeable<T>,
): Promise<Page<T> & { readonly problems: readonly ShardProblem[] }> {
  const { names, limit, ask, read, compare } = list;
  const places = list.cursor === undefined ? everywhere(names) : readPlaces(list.cursor, names);
  const begin = (shard: string): string | undefined => {
    const place = places[shard];
    return typeof place === 'string' ? place : undefined;
  };
  const { answers, problems } = await ask.ask(
    names.filter((name) => places[name] !== false),
    (shard) => read(shard, limit, begin(shard)),
  );
  const pages = answers.map(({ shard, answer: { items, nextCursor } }) => ({
    shard,
    rows: items,
    hasMore: nextCursor !== null,
    nextCursor,
  }));
  const { rows, taken } = mergeRows(pages, limit, (a, b) => compare(a, b) < 0);
  const ends = await Promise.all(
    pages.map(async ({ shard, rows: own, nextCursor }) => {
      const count = taken.get(shard)!;
      if (count === own.length) return [shard, nextCursor ?? false] as const;
      if (count === 0) return [shard, places[shard]!] as const;
      return [shard, list.cursorBehind?.(own[count - 1]!) ?? (await behind(shard, count))] as const;
    }),
  );
  const hasMore = ends.some(([, place]) => place !== false);
  const nextCursor = hasMore ? writePlaces({ ...places, ...Object.fromEntries(ends) }) : null;
  return { items: rows, nextCursor, problems };

  /** What the shard itself says of a page of so many. Where it does not answer, they come again, rather than not at all. */
  async function behind(shard: string, count: number): Promise<string | boolean> {
    try {
      const again = await ask.ask([shard], () => read(shard, count, begin(shard)));
      return again.answers[0]!.answer.nextCursor ?? false;
    } catch {
      return places[shard]!;
    }
  }
}

const everywhere = (names: readonly string[]): Places => Object.fromEntries(names.map((name) => [name, true]));

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
    typeof place === 'boolean' || (typeof place === 'string' && place.length <= 100);
  const given = places as Places;
  if (Object.keys(given).toSorted().join() !== names.toSorted().join() || !Object.values(given).every(isPlace))
    throw invalid;
  return given;
}
