import type { Queues } from '../redis/queues.js';

/** The place of a job among all others: its moment and its id. */
export interface ListedPlace {
  readonly atMs: number;
  readonly id: string;
}

export const PLACES_AT_ONCE = 100;

/** The next places behind one, newest first; of one moment the last id first. None: there are no more. */
export async function readPlaces(queues: Queues, last: ListedPlace | null): Promise<ListedPlace[]> {
  const from = last === null ? '+inf' : String(last.atMs);
  const places: ListedPlace[] = [];
  // those of the same moment that come before it are passed over
  for (let offset = 0; places.length < PLACES_AT_ONCE; offset += PLACES_AT_ONCE) {
    const flat = await queues.redis.zrevrangebyscore(
      queues.jobs,
      from,
      '-inf',
      'WITHSCORES',
      'LIMIT',
      offset,
      PLACES_AT_ONCE,
    );
    for (let at = 0; at < flat.length; at += 2) {
      const place = { id: flat[at]!, atMs: Number(flat[at + 1]) };
      if (last === null || place.atMs < last.atMs || place.id < last.id) places.push(place);
    }
    if (flat.length < 2 * PLACES_AT_ONCE) break;
  }
  return places.slice(0, PLACES_AT_ONCE);
}
