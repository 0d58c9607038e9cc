export const PLACE_KINDS = ['work', 'time', 'signal', 'job', 'child'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** A step at which live jobs of a type are. */
export interface WorkflowPlace {
  /** Without the number that it has in a loop; of jobs that run, the last that each has ended; null: none yet. */
  readonly step: string | null;
  /**
   * `work`: a worker runs them. The others wait: for a time, a signal, a job, or one that they have enqueued
   * themselves.
   */
  readonly kind: PlaceKind;
  /** The name of the signal. */
  readonly signal: string | null;
  readonly jobs: number;
  /** There are more: only the newest were counted. */
  readonly isAtLeast: boolean;
  /** When the first of them came here; of those that run, when the first attempt began. */
  readonly since: Date;
  /** Finds these jobs. */
  readonly filter: string;
}

/** How long a step of a type took lately; of a wait, how long jobs waited. */
export interface WorkflowStep {
  readonly step: string;
  readonly kind: PlaceKind;
  /** So many were measured. */
  readonly times: number;
  readonly medianMs: number;
  /** 95 of 100 took no longer. */
  readonly p95Ms: number;
  /** So many of them failed, and their handlers went on; or the jobs for which they waited are dead or cancelled. */
  readonly failed: number;
}

/** A type of durable job, with where its live jobs are. */
export interface WorkflowType {
  readonly type: string;
  readonly running: number;
  readonly waiting: number;
  /** One of the two is larger. */
  readonly isAtLeast: boolean;
  /** Where most are comes first. */
  readonly places: readonly WorkflowPlace[];
  /** The slowest first. */
  readonly steps: readonly WorkflowStep[];
  readonly compensations: {
    /** Live jobs that went on behind a failed step, or whose graph undoes what it did. */
    readonly running: number;
    /** Jobs of `undo` that are dead or cancelled. */
    readonly failed: number;
  };
}

export interface Workflows {
  /** Those of which most are live first. */
  readonly types: readonly WorkflowType[];
  /** false: there are more steps, or jobs that run, than were read. */
  readonly isComplete: boolean;
}
