import { DueworkError } from '@duework/queue-core';
import type { EnqueuedJob, NewRun } from '@duework/queue-core/ports';
import { countNewRuns, insertRuns } from './insert-runs.js';
import type { MemoryTables } from './tables/memory-tables.js';

/** The fate of a request when the queue is full. */
export type WhenFull = 'wait' | 'refuse' | 'drop';

export interface AdmissionOptions {
  readonly capacity: number;
  readonly whenFull: WhenFull;
  readonly maxWaiting: number;
}

interface Waiter {
  readonly runs: readonly NewRun[];
  readonly admit: (jobs: EnqueuedJob[]) => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Lets requests into a bounded queue, in their order, each as a whole or not at all. A request that finds no room waits
 * in line, is refused, or is dropped (null); the line is bounded as well, so that nothing grows when callers don't
 * await their calls. A run that exists already under its key needs no room. A request in line is served after those
 * before it even where it alone would fit, so that a large one is not overtaken for ever.
 */
export class Admission {
  readonly #line = new Set<Waiter>();
  #waitingRuns = 0;
  #isServing = false;

  constructor(
    private readonly tables: MemoryTables,
    private readonly options: AdmissionOptions,
  ) {}

  /** Runs that wait for room. */
  get waitingRuns(): number {
    return this.#waitingRuns;
  }

  /** Throws `queue_full`, or the signal's reason when it aborts before there was room. */
  async enter(runs: readonly NewRun[], signal?: AbortSignal): Promise<EnqueuedJob[] | null> {
    signal?.throwIfAborted();
    const requested = countNewRuns(this.tables, runs);
    if (requested === 0 || (this.#line.size === 0 && this.#fits(requested))) {
      const jobs = insertRuns(this.tables, runs);
      this.tables.gates.look();
      return jobs;
    }
    if (requested > this.options.capacity) throw this.#full(requested);
    switch (this.options.whenFull) {
      case 'drop':
        return null;
      case 'refuse':
        throw this.#full(requested);
      case 'wait':
        if (this.#waitingRuns + runs.length > this.options.maxWaiting) throw this.#full(requested);
        return this.#stand(runs, signal);
    }
  }

  /** Lets in whoever is first in line, and the next, while there is room. */
  serve(): void {
    // letting a request in can call this method again
    if (this.#isServing) return;
    this.#isServing = true;
    try {
      for (const waiter of this.#line) {
        const requested = countNewRuns(this.tables, waiter.runs);
        // counted again, because keys that were taken may be free by now
        const isTooLarge = requested > this.options.capacity;
        if (!isTooLarge && !this.#fits(requested)) break;
        this.#leave(waiter);
        if (isTooLarge) waiter.refuse(this.#full(requested));
        else waiter.admit(insertRuns(this.tables, waiter.runs));
      }
    } finally {
      this.#isServing = false;
    }
  }

  /** Throws `queue_full` where there is no room for that many more. */
  checkRoom(requested: number): void {
    if (!this.#fits(requested)) throw this.#full(requested);
  }

  #full(requested: number): DueworkError<'queue_full'> {
    return new DueworkError('queue_full', {
      requested,
      live: this.tables.live.size,
      waiting: this.#waitingRuns,
      capacity: this.options.capacity,
    });
  }

  #fits(requested: number): boolean {
    return this.tables.live.size + requested <= this.options.capacity;
  }

  #stand(runs: readonly NewRun[], signal: AbortSignal | undefined): Promise<EnqueuedJob[]> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#leave(waiter);
        reject(signal!.reason as Error);
        this.serve();
        this.tables.gates.look();
      };
      const end =
        <T>(act: (value: T) => void) =>
        (value: T): void => {
          signal?.removeEventListener('abort', giveUp);
          act(value);
        };
      const waiter: Waiter = { runs, admit: end(resolve), refuse: end(reject) };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#line.add(waiter);
      this.#waitingRuns += runs.length;
    });
  }

  #leave(waiter: Waiter): void {
    this.#line.delete(waiter);
    this.#waitingRuns -= waiter.runs.length;
  }
}
