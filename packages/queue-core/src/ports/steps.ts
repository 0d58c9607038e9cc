import type { Json } from '../queue/job.js';
import type { EnqueuedJob, NewRun } from './producer.js';
import type { Transaction } from './runs.js';

/** A step's error, without its stack. */
export interface StepFailure {
  readonly code: string;
  readonly type: string;
  readonly message: string;
}

/** A step of a run that has ended. */
export interface StepRow {
  readonly name: string;
  /** failed: it threw, and its handler went on. */
  readonly status: 'done' | 'failed';
  /** Counted per run: when it was first asked for, and when it ended. */
  readonly askedSeq: number;
  readonly doneSeq: number;
  /** Those that had been asked for, and had not ended, when it ended. */
  readonly open: readonly string[];
  readonly result: Json;
  /** null: it has not failed. */
  readonly error: StepFailure | null;
}

/** The same, as one claim of a run writes it. */
export interface NewStep extends StepRow {
  readonly id: string;
  readonly fence: number;
  /** How long it took, in milliseconds; for people. */
  readonly tookMs?: number;
}

/** kept: the run has a step of that name, which stays as it is. lost: this claim no longer owns the run. */
export type StepAnswer = 'written' | 'kept' | 'lost';

/** What a run waits for, and until when: ISO 8601; null: without end. */
export interface WaitRow {
  readonly name: string;
  readonly wakesAt: string | null;
}

/** A wait as one claim of a run begins it. It ends `afterMs` from now, or at `until` (ISO 8601), or never. */
export interface NewWait {
  readonly id: string;
  readonly fence: number;
  readonly name: string;
  readonly askedSeq: number;
  readonly afterMs: number | null;
  readonly until: string | null;
  /**
   * What ends it earlier: a signal, by its name and key with a space between them, or the end of a job, or of one that the
   * run has enqueued for this, and that is cancelled with it; null: nothing.
   */
  readonly awaits: 'signal' | 'job' | 'child' | null;
  readonly awaited: string | null;
}

/** A wait that one claim of a run ends. */
export interface EndedWait {
  readonly id: string;
  readonly fence: number;
  readonly name: string;
  /** As with a step. */
  readonly doneSeq: number;
}

/**
 * waiting: until then, unless it is ended earlier. done: its result has arrived, or the run has this step. busy: the
 * signal is being sent, so ask again. unknown: there is no such job. lost: this claim no longer owns the run.
 */
export type WaitAnswer =
  | { readonly kind: 'waiting'; readonly wakesAt: string | null }
  | { readonly kind: 'done' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'lost' };

/** Keeps the steps of handlers and their waits, as long as their runs are kept. */
export interface StepStore {
  /**
   * A run's steps, in their order, and its waits. New results come after all known ones: which attempt sees them first
   * is decided here, by the claim that owns the run.
   */
  readSteps(
    id: string,
    fence: number,
  ): Promise<{ readonly done: readonly StepRow[]; readonly waits: readonly WaitRow[] }>;
  /** Writes steps, each only while its claim owns the run; answers for each, in their order. */
  writeSteps(batch: readonly NewStep[]): Promise<readonly StepAnswer[]>;
  /** The same through the caller's transaction. Throws `not_supported` if the store is not `transactional`. */
  writeStepIn(tx: Transaction, step: NewStep): Promise<StepAnswer>;
  /** Begins waits, each only while its claim owns the run and the run has no such step; answers for each, in their order. */
  beginWaits(batch: readonly NewWait[]): Promise<readonly WaitAnswer[]>;
  /**
   * Ends a wait whose time is over, or whose result has arrived, and returns that; null: there is none. `error`: somebody has
   * failed it. null itself: another is about to end it, or the claim has lost the run.
   */
  endWait(wait: EndedWait): Promise<{ readonly result: Json; readonly error?: StepFailure } | null>;
  /** Enqueues runs that belong to one of this worker. */
  insertChildren(runs: readonly NewRun[]): Promise<readonly EnqueuedJob[]>;
}
