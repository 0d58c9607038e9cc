/** What both applications have come to. */
export interface Outcomes {
  /** The order of jobs by their priorities. */
  readonly order: readonly number[];
  /** Whether a job waited for its delay. */
  readonly isDelayed: boolean;
  /** The payload of a job that was changed while it waited, and then promoted. */
  readonly changed: number;
  /** How many attempts a job took that failed twice. */
  readonly attempts: unknown;
  /** What became of a job that must not be tried again. */
  readonly hopeless: { readonly failure: string; readonly attempts: number };
  /** Whether a second job of one key was the first. */
  readonly isDeduplicated: boolean;
  /** What ran of three jobs that were debounced. */
  readonly debounced: readonly number[];
  /** The result of a job that waited for two others. */
  readonly total: unknown;
  /** The progress that a job reported last. */
  readonly progress: unknown;
  /** What ran while the queue was paused. */
  readonly whilePaused: readonly number[];
  /** Whether six jobs of a queue took the second that a limit of two in half a second asks for. */
  readonly isLimited: boolean;
  /** What became of a job whose process exited. */
  readonly crashed: unknown;
  /** What the next one came to, and whether it ran outside the application's process. */
  readonly thumbnail: object;
  /** The next due time of a schedule. */
  readonly nightly: string;
}

/** What came of that which is done by hand, and around jobs. */
export interface Operated {
  /** The result of a job that was taken and ended by hand. */
  readonly byHand: unknown;
  /** The attempts of a job that asked once to be run later. */
  readonly chargedForWaiting: number;
  /** How many lines a job has logged. */
  readonly logs: number;
  readonly failedBefore: number;
  /** The result of a job that had failed for good, and was retried. */
  readonly retried: unknown;
  /** How many ends of jobs that succeeded were told. */
  readonly ended: number;
  /** How many jobs waited before their queue was drained, and after. */
  readonly drained: readonly [before: number, after: number];
}
