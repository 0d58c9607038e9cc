/** What both applications have come to. */
export interface Outcomes {
  /** How many jobs there are of an order that was rolled back, and of one that was not. */
  readonly inTransaction: readonly [rolledBack: number, committed: number];
  /** The order of jobs by their priorities. */
  readonly order: readonly number[];
  /** Whether a job waited for its moment. */
  readonly isDelayed: boolean;
  /** How many attempts a job took that failed once. */
  readonly attempts: number;
  /** What became of a job without attempts left. */
  readonly hopeless: { readonly attempts: number; readonly isToldWhy: boolean };
  /** What ran of three jobs of one key. */
  readonly replaced: readonly number[];
  /** Beginnings and ends of three jobs of one line, beside free slots. */
  readonly inLine: readonly string[];
  /** The parts of a list, in the order of their attempts: one failed. */
  readonly parts: readonly number[];
  /** Whether a job for tomorrow is gone, once it was removed. */
  readonly removed: boolean;
  /** Whether a job ran while its kind was forbidden. */
  readonly ranForbidden: boolean;
  readonly schedules: readonly string[];
}
