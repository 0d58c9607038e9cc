import { createHash } from 'node:crypto';
import type { FollowedPage, PageEvent, PageListener, PageView } from './followed-page.js';

/** The page of a filter as one view shows it, and those who follow it. */
export class ViewedPage {
  readonly #told = new Set<PageListener>();
  /** Those who have been told nothing yet, and what each of them has seen before. */
  readonly #untold = new Map<PageListener, string | null>();
  #texts: ReadonlyMap<string, string> = new Map();
  #page: PageEvent | null = null;

  constructor(private readonly view: PageView) {}

  get isFollowed(): boolean {
    return this.#told.size + this.#untold.size > 0;
  }

  add(listener: PageListener, seen: string | null): void {
    this.#untold.set(listener, seen);
    this.#tellUntold();
  }

  remove(listener: PageListener): void {
    this.#told.delete(listener);
    this.#untold.delete(listener);
  }

  /** Tells what a look has found, where it is not what is known. */
  update({ jobs: found, ...page }: FollowedPage): void {
    const jobs = found.map((job) => ({ id: job.id, shown: this.view.show(job) }));
    const texts = new Map(jobs.map(({ id, shown }) => [id, JSON.stringify(shown)]));
    const revision = hash([String(page.isComplete), ...texts.values()]);
    if (revision !== this.#page?.revision) {
      const told = { ...page, revision, ids: [...texts.keys()] };
      const changed = jobs.filter(({ id }) => texts.get(id) !== this.#texts.get(id));
      this.#texts = texts;
      this.#page = { kind: 'page', ...told, jobs: jobs.map(({ shown }) => shown) };
      const change: PageEvent = { kind: 'change', ...told, jobs: changed.map(({ shown }) => shown) };
      for (const listener of this.#told) listener(change);
    }
    this.#tellUntold();
  }

  #tellUntold(): void {
    if (this.#page === null) return;
    for (const [listener, seen] of this.#untold) {
      this.#untold.delete(listener);
      this.#told.add(listener);
      if (seen !== this.#page.revision) listener(this.#page);
    }
  }
}

/** Of texts that are JSON, which has no line breaks. */
function hash(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\n')).digest('base64url').slice(0, 22);
}
