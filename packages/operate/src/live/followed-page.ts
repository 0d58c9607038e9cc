import type { ListedJob, SearchPage } from '@duework/queue-core/internals';

/** The first page of a filter, as it is now. */
export interface FollowedPage extends Omit<SearchPage<ListedJob>, 'previousCursor'> {
  /** If the page is not complete: a sentence with a term that would help. */
  readonly hint: string | null;
}

/** What some followers see of each job; those of one view share all that they are told. */
export interface PageView {
  readonly name: string;
  readonly show: (job: ListedJob) => object;
}

/** What a follower is told: first the page, then what becomes of it. */
export interface PageEvent extends Omit<FollowedPage, 'jobs'> {
  readonly kind: 'page' | 'change';
  /** Names what the view has of the page: the same page has the same one again, in whatever process. */
  readonly revision: string;
  /** The jobs of the page, in their order. */
  readonly ids: readonly string[];
  /** `page`: all of them; `change`: those that are new on the page or have changed. */
  readonly jobs: readonly object[];
}

export type PageListener = (event: PageEvent) => void;
