import type { Worker } from '@duework/queue-core';
import type { Probes, WorkerState } from '../http/open-probes.js';

/** What a worker works on, a database or a dedicated queue, with the worker; nothing of it has begun. */
export interface WorkPlace {
  readonly worker: Worker;
  /** How many jobs were given up so far. */
  readonly countDead: () => number;
  /** Whether it can be worked on. Throws what says why not. */
  check(): Promise<void>;
  /** Writes what has to be there before the worker starts. */
  prepare(): Promise<void>;
  /** One evaluation of its schedules; null: none will be due. */
  tick(): Promise<{ readonly nextTickInMs: number | null }>;
  /** Whether runs are due, held by this worker, or to be rescued. */
  hasWork(): Promise<boolean>;
  openProbes(state: () => WorkerState): Probes;
  /** The error on which the worker cannot start, as one line with its fix. */
  describeStartError(error: unknown): Error;
  /** Closes what was opened here. */
  close(): Promise<void>;
}
