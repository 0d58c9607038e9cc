import type { JobFilter } from '@duework/filter';
import type { FollowedPage, PageListener, PageView } from './followed-page.js';
import { ViewedPage } from './viewed-page.js';

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A filter with all who follow it, and what the last look has found. */
export class FollowedFilter {
  readonly #views = new Map<string, ViewedPage>();
  readonly #waiters: Waiter[] = [];
  #found: { readonly page: FollowedPage } | { readonly error: unknown } | null = null;

  /** Before all others while somebody waits for its first page. */
  #dueMs = -Infinity;
  #keptUntilMs = -Infinity;

  /** Somebody looks at it now. */
  isLookedAt = false;
  /** How long the last look took; of a new one it is not known. */
  tookMs = 0;

  /** `first` is who was the first to follow it. */
  constructor(
    readonly filter: JobFilter,
    readonly first: string,
  ) {}

  get isFollowed(): boolean {
    return this.#waiters.length + this.#views.size > 0;
  }

  /** When it is looked at again, or given up where nobody follows it. */
  get nextMs(): number {
    return this.isFollowed ? this.#dueMs : this.#keptUntilMs;
  }

  rest(keptUntilMs: number, dueMs: number): void {
    this.#keptUntilMs = keptUntilMs;
    this.#dueMs = dueMs;
  }

  /** Resolves when a look has found its page; rejects while the last look has failed. */
  untilFound(): Promise<void> {
    if (this.#found === null) return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
    return 'error' in this.#found ? Promise.reject(this.#found.error as Error) : Promise.resolve();
  }

  add(view: PageView, listener: PageListener, seen: string | null): () => void {
    const viewed = this.#views.get(view.name) ?? this.#open(view);
    viewed.add(listener, seen);
    return () => {
      viewed.remove(listener);
      if (!viewed.isFollowed && this.#views.get(view.name) === viewed) this.#views.delete(view.name);
    };
  }

  setPage(page: FollowedPage): void {
    this.#found = { page };
    for (const viewed of this.#views.values()) viewed.update(page);
    for (const { resolve } of this.#waiters.splice(0)) resolve();
  }

  setError(error: unknown): void {
    this.#found = { error };
    for (const { reject } of this.#waiters.splice(0)) reject(error);
  }

  #open(view: PageView): ViewedPage {
    const viewed = new ViewedPage(view);
    this.#views.set(view.name, viewed);
    if (this.#found !== null && 'page' in this.#found) viewed.update(this.#found.page);
    return viewed;
  }
}
