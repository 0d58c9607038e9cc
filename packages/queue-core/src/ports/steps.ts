import type { Json } from '../queue/job.js';
import type { Transaction } from './runs.js';

/** What a step threw, without its stack. */
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
}

/** kept: the run has a step of that name, which stays as it is. lost: this claim no longer owns the run. */
export type StepAnswer = 'written' | 'kept' | 'lost';

/** Keeps what handlers have done, as long as their runs are kept. */
export interface StepStore {
  /** What a run has done, in the order in which it was done. */
  readSteps(id: string): Promise<readonly StepRow[]>;
  /** Writes steps, each only while its claim owns the run; answers for each, in their order. */
  writeSteps(batch: readonly NewStep[]): Promise<readonly StepAnswer[]>;
  /** The same through the caller's transaction. Throws `not_supported` where the store is not `transactional`. */
  writeStepIn(tx: Transaction, step: NewStep): Promise<StepAnswer>;
}
