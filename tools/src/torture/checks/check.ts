import type { Evidence } from '../observer/evidence.js';

/** What a check found. */
export interface Verdict {
  /** How many cases it has judged: a promise of which there was none is not kept. */
  readonly counted: number;
  /** What broke the promise, in words. */
  readonly broken: readonly string[];
  readonly remark?: string;
}

/** A promise, and how to see whether it was kept. */
export interface Check {
  readonly promise: string;
  /** Told and not judged in the quick form, which runs on machines that are busy otherwise. */
  readonly isFigure?: boolean;
  /**
   * What gives it cases to judge: every run does, a soak, one whose load is measured, or one that does any of these faults.
   */
  readonly needs: 'any run' | 'a soak' | 'a measured load' | readonly string[];
  check(evidence: Evidence): Verdict;
}
