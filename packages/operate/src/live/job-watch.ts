import type { Clock } from '@duework/queue-core';
import { pause } from '@duework/queue-core/internals';
import type { JobState } from './job-state.js';

/** Jobs of one question. */
const MAX_IDS = 500;
/** How soon the first look follows, so that what is watched together is looked at together. */
const FIRST_LOOK_MS = 5;

/** Told of each change, and first of the state in which the job is; null: there is no such job (any more). */
export type JobListener = (state: JobState | null) => void;

export interface WatchOptions {
  readonly clock: Clock;
  /** How long a change may go unseen. */
  readonly everyMs: number;
  /** A look has failed; the watch goes on. */
  readonly onError: (error: unknown) => void;
}

export interface JobWatchOptions extends WatchOptions {
  /** The states of jobs by their ids; a job that is not there is left out. */
  readonly readStates: (ids: readonly string[]) => Promise<readonly JobState[]>;
}

interface Watched {
  readonly listeners: Set<JobListener>;
  /** undefined: not looked at yet. */
  state: JobState | null | undefined;
}

/**
 * Watches jobs for any number of listeners with one question for all of them, while there are any. It looks at the jobs
 * instead of being told, so that no run pays for being watched, and nothing is lost when a connection is.
 */
export class JobWatch {
  readonly #watched = new Map<string, Watched>();
  #isLooking = false;
  #newcomer = new AbortController();

  constructor(private readonly options: JobWatchOptions) {}

  /** Returns the function that ends it. `id` has to be one that the queue has given. */
  watch(id: string, listener: JobListener): () => void {
    const entry = this.#watched.get(id) ?? { listeners: new Set(), state: undefined };
    this.#watched.set(id, entry);
    entry.listeners.add(listener);
    if (entry.state !== undefined) listener(entry.state);
    else this.#newcomer.abort();
    void this.#look();
    return () => {
      entry.listeners.delete(listener);
      if (entry.listeners.size === 0 && this.#watched.get(id) === entry) this.#watched.delete(id);
    };
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { clock, everyMs, onError } = this.options;
    while (this.#watched.size > 0) {
      this.#newcomer = new AbortController();
      await pause(clock, FIRST_LOOK_MS);
      await this.#lookOnce().catch(onError);
      await pause(clock, everyMs, this.#newcomer.signal);
    }
    this.#isLooking = false;
  }

  async #lookOnce(): Promise<void> {
    const ids = [...this.#watched.keys()];
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      const asked = ids.slice(from, from + MAX_IDS);
      const states = new Map((await this.options.readStates(asked)).map((state) => [state.id, state]));
      for (const id of asked) this.#tell(id, states.get(id) ?? null);
    }
  }

  #tell(id: string, state: JobState | null): void {
    const entry = this.#watched.get(id);
    if (entry === undefined) return;
    const isNew = entry.state === undefined || entry.state?.revision !== state?.revision;
    entry.state = state;
    if (isNew) for (const listener of entry.listeners) listener(state);
  }
}
