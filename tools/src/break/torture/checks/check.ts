import type { Evidence } from '../observer/evidence.js';

/** The result of a check. */
export interface Verdict {
  /** How many cases it has judged: a promise without a case is not kept. */
  readonly counted: number;
  /** Sentences about what broke the promise. */
  readonly broken: readonly string[];
  readonly remark?: string;
}

/** A promise, and the check of whether it was kept. */
export interface Check {
  readonly promise: string;
  /** Reported and not judged in the quick form, which runs on machines that are otherwise busy. */
  readonly isFigure?: boolean;
  /**
   * Where its cases come from, unless every run has some: a soak, a run whose load is measured, or one that does any of
   * these faults.
   */
  readonly needs?: 'a soak' | 'a measured load' | readonly string[];
  check(evidence: Evidence): Verdict;
}
