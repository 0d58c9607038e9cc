import { answersOf, by, greatest, grouped, least, type Moment, type Part, sums, union } from './parts.js';

interface Subscriber {
  readonly type: string;
  readonly isSubscribed: boolean;
  readonly workers: readonly string[];
}

interface EventState {
  readonly event: string;
  readonly version: number;
  readonly oldestKeptAt: Moment | null;
  readonly subscribers: readonly Subscriber[];
}

interface Replay {
  readonly replayed: number;
  readonly nextFrom: Moment | null;
}

interface ReplayPreview {
  readonly events: number;
  readonly isAtLeast: boolean;
}

/** Each event with whoever subscribes in any shard: in the middle of a deploy they are not the same. */
export const mergeEvents = <T extends EventState>(parts: readonly Part<readonly T[]>[]): readonly T[] =>
  grouped(answersOf(parts).flat(), 'event')
    .map((rows): EventState => ({
      ...rows.find(({ version }) => version === greatest(rows, 'version'))!,
      oldestKeptAt: least(rows, 'oldestKeptAt'),
      subscribers: mergeSubscribers(rows.flatMap(({ subscribers }) => subscribers)),
    }))
    .toSorted(by('event')) as readonly EventState[] as readonly T[];

const mergeSubscribers = (subscribers: readonly Subscriber[]): readonly Subscriber[] =>
  grouped(subscribers, 'type')
    .map((rows) => ({
      ...rows[0],
      isSubscribed: rows.some(({ isSubscribed }) => isSubscribed),
      workers: union(rows.map(({ workers }) => workers)),
    }))
    .toSorted(by('type'));

/** A replay goes on where the shard that is behind the others does: no event is given twice. */
export function mergeReplays<T extends Replay>(parts: readonly Part<T>[]): T {
  const rows = answersOf(parts);
  return { ...sums(rows, 'replayed'), nextFrom: least(rows, 'nextFrom') } as Replay as T;
}

export function mergeReplayPreviews(parts: readonly Part<ReplayPreview>[]): ReplayPreview {
  const rows = answersOf(parts);
  return { events: sums(rows, 'events').events ?? 0, isAtLeast: rows.some(({ isAtLeast }) => isAtLeast) };
}
