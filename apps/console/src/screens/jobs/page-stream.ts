import type { Schemas } from '../../api/api-types.js';

export type ListedJob = Schemas['ListedJob'];

/** What the table shows of a filter. */
export interface ShownPage {
  readonly jobs: readonly ListedJob[];
  readonly nextCursor: string | null;
  readonly previousCursor: string | null;
  readonly complete: boolean;
  readonly hint: string | null;
}

/** Puts a first page together from the events of its stream: a change tells only the jobs that are new or have changed. */
export class PageStream {
  #jobs = new Map<string, ListedJob>();

  /** The page after an event; null: it names a job that was never told, so that the page has to be read. */
  read({ ids, jobs, ...rest }: Schemas['PageEvent']): ShownPage | null {
    const told = new Map(jobs.map((job) => [job.id, job]));
    const page = ids.map((id) => told.get(id) ?? this.#jobs.get(id));
    if (page.includes(undefined)) return null;
    const whole = page as readonly ListedJob[];
    this.#jobs = new Map(whole.map((job) => [job.id, job]));
    return { jobs: whole, ...rest, previousCursor: null };
  }
}
