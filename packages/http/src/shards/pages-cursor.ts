import { ApiError } from '../api-error.js';

/** Where a listing is in each shard: a cursor of that shard, '' at its start, null where nothing follows. */
export type Places = ReadonlyMap<string, string | null>;

/** Where a page of all shards begins. */
export interface PagePlace {
  readonly isBack: boolean;
  readonly places: Places;
}

/** One cursor that holds a place for each shard. It is of one list alone. */
export function encodePlaces(list: string, { isBack, places }: PagePlace): string {
  return Buffer.from(JSON.stringify([list, isBack ? 1 : 0, Object.fromEntries(places)])).toString('base64url');
}

/** Reads such a cursor. Throws `invalid_cursor` for one that is not of this list, or not of these shards. */
export function decodePlaces(list: string, names: readonly string[], cursor: string): PagePlace {
  const place = readPlaces(list, cursor);
  if (place.places.size === names.length && names.every((name) => place.places.has(name))) return place;
  throw invalidCursor();
}

/** The same of whichever shards. */
export function readPlaces(list: string, cursor: string): PagePlace {
  const read = parse(cursor);
  if (Array.isArray(read) && read.length === 3) {
    const [of, back, given] = read as [unknown, unknown, unknown];
    if (of === list && (back === 0 || back === 1) && isPlaces(given)) {
      const place = { isBack: back === 1, places: new Map(Object.entries(given)) };
      // Node skips signs that are not base64url: only a text that encodes to itself came from here
      if (encodePlaces(list, place) === cursor) return place;
    }
  }
  throw invalidCursor();
}

export const invalidCursor = (): ApiError =>
  new ApiError(
    'invalid_cursor',
    'The cursor is not one of this list and its shards. Take nextCursor from its last page, or leave it out to begin.',
  );

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}

function isPlaces(value: unknown): value is Record<string, string | null> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((place) => place === null || typeof place === 'string');
}
