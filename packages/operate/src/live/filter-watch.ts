import { formatFilter, type JobFilter } from '@duework/filter';
import { pause } from '@duework/queue-core/internals';
import { FollowedFilter } from './followed-filter.js';
import type { FollowedPage, PageListener, PageView } from './followed-page.js';
import type { WatchOptions } from './job-watch.js';

/** A filter whose look takes long is looked at less often, so that it takes a tenth of one connection's time. */
const REST_PER_LOOK = 10;
/** A look that hung with its database says nothing of the next one: what happens afterwards is not told much later. */
const MAX_REST_MS = 10_000;
/** A filter whose last look took longer is slow. */
const SLOW_MS = 100;
/** How many filters are looked at at once: slow ones wait for each other, and never another one for all of them. */
const LOOKS = { fast: 2, slow: 1 } as const;

export interface FilterWatchOptions extends WatchOptions {
  /** The first page of a filter, as it is now. */
  readonly readPage: (filter: JobFilter) => Promise<FollowedPage>;
  /** How many filters are followed at once. */
  readonly maxFilters: number;
  /** How many of these one follower may be the first to follow. */
  readonly maxOfOne: number;
}

/**
 * Watches the first pages of filters for any number of followers: one question for each filter in `everyMs` at the most,
 * and a few at once, so that all filters together take three connections. Of what is due that comes first whose first
 * follower was not served for the longest time, and none has two looks of a kind at once: a filter that takes long
 * delays its own follower's. It looks at the jobs instead of being told, so that no run pays for being watched. What
 * comes and goes between two looks is not told.
 */
export class FilterWatch {
  readonly #filters = new Map<string, FollowedFilter>();
  /** When a follower's filter was looked at last. */
  readonly #servedMs = new Map<string, number>();
  #isWatching = false;
  /** Aborted where something else may be due sooner. */
  #isChanged = new AbortController();

  constructor(private readonly options: FilterWatchOptions) {}

  /** Whether one more filter would be too many: of whoever asks (`one`), of all, or not (null). */
  isFull(filter: JobFilter, who: string): 'one' | 'all' | null {
    if (this.#filters.has(keyOf(filter))) return null;
    if (this.#filters.size >= this.options.maxFilters) return 'all';
    const own = [...this.#filters.values()].filter(({ first }) => first === who).length;
    return own >= this.options.maxOfOne ? 'one' : null;
  }

  /**
   * Resolves when the page of a filter is known, which is at once where it is followed. Rejects while looks at it fail.
   * A filter counts as that of `who` asks for it first.
   */
  async look(filter: JobFilter, who: string): Promise<void> {
    await this.#find(filter, who).untilFound();
  }

  /**
   * Tells a listener the page, unless `seen` is its revision, and then each change. At once where `look` has resolved just
   * now. Returns the function that ends it.
   */
  follow(filter: JobFilter, who: string, view: PageView, seen: string | null, listener: PageListener): () => void {
    const followed = this.#find(filter, who);
    const stop = followed.add(view, listener, seen);
    return () => {
      stop();
      if (!followed.isFollowed) this.#isChanged.abort();
    };
  }

  #find(filter: JobFilter, who: string): FollowedFilter {
    const key = keyOf(filter);
    let followed = this.#filters.get(key);
    if (followed === undefined) {
      followed = new FollowedFilter(filter, who);
      this.#filters.set(key, followed);
      this.#isChanged.abort();
      void this.#run();
    }
    return followed;
  }

  async #run(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    // whoever has just come is added first
    await Promise.resolve();
    while (this.#filters.size > 0) {
      const next = this.#nextDue();
      if (typeof next === 'number') {
        this.#isChanged = new AbortController();
        await pause(this.options.clock, next, this.#isChanged.signal);
      } else if (next.isFollowed) void this.#lookAt(next);
      // kept until then, so that a client that comes and goes does not ask more often
      else this.#giveUp(next);
    }
    this.#isWatching = false;
  }

  #giveUp({ filter, first }: FollowedFilter): void {
    this.#filters.delete(keyOf(filter));
    if (![...this.#filters.values()].some((one) => one.first === first)) this.#servedMs.delete(first);
  }

  /** What is to be looked at, or given up, now; or in how many milliseconds to ask again, unless something changes. */
  #nextDue(): FollowedFilter | number {
    const nowMs = this.options.clock.monotonicMs();
    const all = [...this.#filters.values()];
    const looks = all.filter(({ isLookedAt }) => isLookedAt);
    const possible = all.filter((one) => {
      if (one.isLookedAt) return false;
      const alike = looks.filter((look) => isSlow(look) === isSlow(one));
      const isBusy =
        alike.length >= LOOKS[isSlow(one) ? 'slow' : 'fast'] || alike.some(({ first }) => first === one.first);
      return !one.isFollowed || !isBusy;
    });
    const due = possible.filter(({ nextMs }) => nextMs <= nowMs);
    if (due.length > 0) return due.reduce((best, one) => (this.#isBefore(one, best) ? one : best));
    return Math.ceil(possible.reduce((soonest, { nextMs }) => Math.min(soonest, nextMs), nowMs + MAX_REST_MS) - nowMs);
  }

  /** Whose first follower has waited for longer; of one follower's, what it knows nothing of yet. */
  #isBefore(one: FollowedFilter, other: FollowedFilter): boolean {
    const servedMs = ({ first }: FollowedFilter): number => this.#servedMs.get(first) ?? -Infinity;
    if (one.first === other.first) return one.nextMs < other.nextMs;
    return servedMs(one) < servedMs(other);
  }

  async #lookAt(followed: FollowedFilter): Promise<void> {
    const { clock, everyMs, onError } = this.options;
    const startedMs = clock.monotonicMs();
    followed.isLookedAt = true;
    this.#servedMs.set(followed.first, startedMs);
    try {
      followed.setPage(await this.options.readPage(followed.filter));
    } catch (error) {
      followed.setError(error);
      onError(error);
    }
    const tookMs = clock.monotonicMs() - startedMs;
    followed.isLookedAt = false;
    followed.tookMs = tookMs;
    followed.rest(
      startedMs + everyMs,
      startedMs + Math.max(everyMs, Math.min(tookMs * REST_PER_LOOK, tookMs + MAX_REST_MS)),
    );
    this.#isChanged.abort();
  }
}

const isSlow = ({ tookMs }: FollowedFilter): boolean => tookMs > SLOW_MS;

/** One for the same terms in any order. */
function keyOf({ terms }: JobFilter): string {
  return terms
    .map((term) => formatFilter({ terms: [term] }))
    .sort()
    .join(' ');
}
